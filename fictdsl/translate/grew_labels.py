"""Translate the labels of Grew edges, and comparisons of word positions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import assert_never

from fictdsl.syntax.regex import AnyChar, Category, Char, CharClass, CharRange, parse_regex
from fictdsl.translate.grew_request import Label, LabelPart, RegexText, Values
from fictdsl.translate.writer import NoEquivalentError, label, regex, value

# The separators that end a part: 1 (the relation) ends at `:` or `@`, 2 (its subtype) at `@`.
_SEPARATORS = {"1": ":@", "2": "@", "deep": ""}
_ATOM = re.compile(r"\\p\{\w*\}|\\.|\[(?:\\.|[^\]\\])*\]|.", re.DOTALL)


def part_values(part: str, values: Values) -> Values:
    """Return values whose regexes match no separator. Raises NoEquivalentError if a value contains one."""
    restricted: list[str | RegexText] = []
    for part_value in values:
        if isinstance(part_value, RegexText):
            atoms = _ATOM.findall(part_value.text)
            text = "".join(_without_separators(atom, _SEPARATORS[part]) for atom in atoms)
            restricted.append(RegexText(text, part_value.ignore_case))
            continue
        for separator in _SEPARATORS[part]:
            if separator in part_value:
                raise _separator_error(separator)
        restricted.append(part_value)
    return tuple(restricted)


def _without_separators(atom: str, separators: str) -> str:
    regex = parse_regex(atom, 0)
    match regex:
        case AnyChar():
            return f"[^{separators}]" if separators else atom
        case CharClass(members=members, negated=True):
            added = "".join(
                separator for separator in separators if not any(_contains(member, separator) for member in members)
            )
            content = atom.removeprefix("[^")
            escape = "\\" if added and content.startswith("-") else ""  # else it would be a range from the separator
            return f"[^{added}{escape}{content}"
        case CharClass(members=members):
            pass
        case Char() | Category():
            members = (regex,)
        case _:  # an operator
            return atom
    for separator in separators:
        if any(_contains(member, separator) for member in members):
            raise _separator_error(separator)
    return atom


def _contains(member: Char | CharRange | Category, separator: str) -> bool:
    match member:
        case Char(char=char):
            return char == separator
        case CharRange(low=low, high=high):
            return low <= separator <= high
        case Category(name=name):
            return name == "P"  # `:` and `@` are punctuation
    assert_never(member)


def _separator_error(separator: str) -> NoEquivalentError:
    return NoEquivalentError(f"`{separator}` ends the part of a label")


_UNBOUNDED = 10**6  # greater than any distance in a sentence


def ranges_of(op: str, number: int) -> list[tuple[int, int]]:
    """Return the integers x with `x op number`, as inclusive ranges."""
    match op:
        case "<":
            return [(-_UNBOUNDED, number - 1)]
        case "<=":
            return [(-_UNBOUNDED, number)]
        case ">":
            return [(number + 1, _UNBOUNDED)]
        case ">=":
            return [(number, _UNBOUNDED)]
        case "=":
            return [(number, number)]
        case "<>":
            return [(-_UNBOUNDED, number - 1), (number + 1, _UNBOUNDED)]
    raise ValueError(f"unknown operator {op}")


def order_relations(first: str, second: str, low: int, high: int) -> Iterator[str]:
    """Yield alternative order relations: one of them holds if and only if `low <= id(second) - id(first) <= high`."""
    for left, right, shortest, longest in ((first, second, max(low, 1), high), (second, first, max(-high, 1), -low)):
        if shortest <= longest:
            upper = "" if longest >= _UNBOUNDED else str(longest)
            bounds = "" if (shortest, upper) == (1, "") else f"{{{shortest}..{upper}}}"
            yield f"{left} <<{bounds} {right}"


_ARROW_LABEL = re.compile(r'(?P<exact>=?)(?:(?P<text>/(?:[^/\\]|\\.)*/i?|"(?:[^"\\]|\\.)*")|(?P<name>[^|^"/=]+))')
# The relations of UD that SUD replaces, mostly by subj, comp and mod.
# https://surfacesyntacticud.github.io/guidelines/u/general_principles/
_ONLY_IN_UD = (
    *("acl", "advcl", "advmod", "amod", "aux", "case", "ccomp", "cop", "csubj", "iobj", "mark", "nmod", "nsubj"),
    *("nummod", "obj", "obl", "xcomp"),
)


def arrows(edge_label: Label) -> list[str]:
    """Return the arrows that must all hold for an edge, such as `-[=nsubj]->`, or `=[l]=>` for an enhanced edge."""
    if edge_label.parts:
        return _arrows_of_parts(edge_label.parts)
    if not edge_label.values:
        return ["->"]
    are_enhanced = [isinstance(text, str) and text.startswith("E:") for text in edge_label.values]
    if any(are_enhanced) and not all(are_enhanced):
        raise NoEquivalentError("the labels of an arrow are all enhanced or none is")
    negation = "^" if edge_label.negated else ""
    if all(are_enhanced):
        return [f"=[{negation}{'|'.join(f'={label(str(text)[2:])}' for text in edge_label.values)}]=>"]
    labels = (text.literal() if isinstance(text, RegexText) else f"={label(text)}" for text in edge_label.values)
    return [f"-[{negation}{'|'.join(labels)}]->"]


def _arrows_of_parts(parts: tuple[LabelPart, ...]) -> list[str]:
    """Return the arrows for parts of a label: 1 (the relation), 2 (its subtype), deep (after `@`), enhanced."""
    # conditions that must all hold, by part; a group has at most one condition on each part
    groups: list[dict[str, tuple[str, Values]]] = [{}]
    enhanced: set[bool] = set()
    for part in parts:
        if part.key not in ("1", "2", "deep", "enhanced"):
            raise NoEquivalentError(f"`{part.text}` is not a part of a UD or SUD label")
        if part.key == "enhanced":
            enhanced.add(_is_enhanced(part))
            continue
        if part.key == "1" and part.op == "!":
            raise NoEquivalentError("every label has a relation")
        if all(part.key in group for group in groups):
            groups.append({})
        group = next(group for group in groups if part.key not in group)
        group[part.key] = (part.op, part_values(part.key, part.values))
    labels = list(dict.fromkeys(label_text for group in groups for label_text in _labels(group)))
    if len(enhanced) > 1:
        raise NoEquivalentError("it is never true")
    if True not in enhanced:
        return [f"-[{label_text}]->" for label_text in labels]
    if len(labels) > 1:
        raise NoEquivalentError("different enhanced edges could meet its conditions")
    return [f"=[{label_text}]=>" for label_text in labels]


def _is_enhanced(part: LabelPart) -> bool:
    if part.op == "<>" or part.values not in ((), ("yes",), ("no",)):
        raise NoEquivalentError("`enhanced` is `yes` or absent")
    return part.op != "!" and part.values != ("no",)


def _labels(conditions: dict[str, tuple[str, Values]]) -> list[str]:
    """Return label lists, one per arrow, that must all match, from the operator and values of each part."""
    relation, subtype, deep = (conditions.get(key) for key in ("1", "2", "deep"))
    if deep is None and relation is not None and (relation_names := _strings(relation[1])) is not None:
        match relation[0], subtype:
            case "=", None:
                return [_label_list(relation_names)]
            case "=", ("!", _):
                return [_label_list(relation_names, [""])]
            case "=", ("=", values) if (subtype_names := _strings(values)) is not None:
                return [_label_list(relation_names, subtype_names)]
            case "<>", None:
                return [f"^{_label_list(relation_names)}"]
    part_patterns = [_part_pattern(relation, "[^:@]+"), _part_pattern(subtype, "[^@]+"), _part_pattern(deep, ".+")]
    required_values = [
        part_value
        for condition in (relation, subtype, deep)
        if condition is not None and condition[0] == "="
        for part_value in condition[1]
    ]
    labels = [regex(_label_pattern(*part_patterns), ignore_case=_ignores_case(required_values))]
    for index, condition in enumerate((relation, subtype, deep)):
        if condition is not None and condition[0] == "<>":
            excluded_patterns: list[str | None] = [None, None, None]
            excluded_patterns[index] = _alternatives(condition[1])
            labels.append(f"^{regex(_label_pattern(*excluded_patterns), ignore_case=_ignores_case(condition[1]))}")
    return labels


def _strings(values: Values) -> list[str] | None:
    strings = [part_value for part_value in values if isinstance(part_value, str)]
    return strings if len(strings) == len(values) else None


def _label_list(relations: list[str], subtypes: list[str] | None = None) -> str:
    """Return a list of the labels with one of the relations and, unless None, one of the subtypes ("" for none).

    A plain or exact label matches no label with a deep part, so these labels need a regular expression. It is left out
    for relations that only UD has, because UD labels have no deep part.
    """
    if subtypes is None:
        labels = [label(relation) for relation in relations]
    else:
        labels = [
            f"={label(f'{relation}:{subtype}' if subtype else relation)}"
            for relation, subtype in product(relations, subtypes)
        ]
    if other_relations := [relation for relation in relations if relation not in _ONLY_IN_UD]:
        subtype_pattern = _alternatives(subtypes) if subtypes else ""
        labels.append(regex(_label_pattern(_alternatives(other_relations), subtype_pattern, ".+")))
    return "|".join(labels)


def _ignores_case(values: Sequence[str | RegexText]) -> bool:
    """Return whether all values have the flag `i`. Raises NoEquivalentError if only some have it."""
    flags = {isinstance(part_value, RegexText) and part_value.ignore_case for part_value in values}
    if len(flags) > 1:
        raise NoEquivalentError("only some of its values ignore case")
    return True in flags


def _part_pattern(condition: tuple[str, Values] | None, any_value: str) -> str | None:
    """Return the regular expression of a part; "" if it must be absent, None if it may be absent."""
    if condition is None:
        return None
    op, values = condition
    if op == "!":
        return ""
    return _alternatives(values) if op == "=" else any_value


def _label_pattern(relation: str | None, subtype: str | None, deep: str | None) -> str:
    subtype_part = "(:[^@]+)?" if subtype is None else f":{subtype}" if subtype else ""
    deep_part = "(@.+)?" if deep is None else f"@{deep}" if deep else ""
    return f"{relation or '[^:@]+'}{subtype_part}{deep_part}"


def _alternatives(values: Sequence[str | RegexText]) -> str:
    texts = [
        alternative.text if isinstance(alternative, RegexText) else re.sub(r"(\W)", r"\\\1", alternative)
        for alternative in values
    ]
    return texts[0] if len(texts) == 1 and isinstance(values[0], str) else f"({'|'.join(texts)})"


def label_test(edge_label: Label, node: str) -> str:
    """Translate an edge from any node to `node` as a test of the label of `node`. A root has a label too."""
    if edge_label == Label():
        return node
    tests = [_deprel_test(arrow) for arrow in arrows(edge_label)]
    return f"{node}[{', '.join(tests)}]"


def _deprel_test(arrow: str) -> str:
    if not arrow.startswith("-["):
        raise NoEquivalentError("an enhanced edge from any node is not a test of a word")
    label_text = arrow.removeprefix("-[").removesuffix("]->")
    tests = [_value_test(match) for match in _ARROW_LABEL.finditer(label_text)]
    disjunction = " or ".join(tests)
    if label_text.startswith("^"):
        return f"not ({disjunction})"
    return f"({disjunction})" if len(tests) > 1 else disjunction


def _value_test(label_part: re.Match[str]) -> str:
    name = label_part["name"]
    text = label_part["text"] if name is None else value(name)
    return f"deprel {'==' if label_part['exact'] else '='} {text}"
