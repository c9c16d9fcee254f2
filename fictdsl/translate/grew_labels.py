"""Translate the labels of Grew edges."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

from fictdsl.translate.grew_label_parts import part_values
from fictdsl.translate.grew_values import RegexText, Values, split, values_of
from fictdsl.translate.writer import NoEquivalentError, label, regex, value

_LABEL_PART = re.compile(
    r"(?P<key>\w+)\s*(?P<op><>|=)\s*(?P<values>.+)|(?P<absent>!)\s*(?P<absent_key>\w+)|(?P<bare_key>\w+)"
)
# The relations of UD that SUD replaces, mostly by subj, comp and mod.
# https://surfacesyntacticud.github.io/guidelines/u/general_principles/
_ONLY_IN_UD = (
    *("acl", "advcl", "advmod", "amod", "aux", "case", "ccomp", "cop", "csubj", "iobj", "mark", "nmod", "nsubj"),
    *("nummod", "obj", "obl", "xcomp"),
)


def arrows(content: str | None) -> list[str]:
    """Return the arrows that must all hold for an edge, such as `-[=nsubj]->`, or `=[l]=>` for an enhanced edge.

    `content` is the text between the brackets of the edge, or None if it has no brackets.
    """
    if content is None or not content.strip():
        return ["->"]
    content = content.strip()
    negated = content.startswith("^")
    label_list = content.removeprefix("^").strip()
    if re.search(r"[=!,]|<>|^[12]$|^enhanced$", re.sub(r're"[^"]*"|"[^"]*"|/[^/]*/', "", label_list)):
        if negated:
            raise NoEquivalentError("`^` stands before labels, not before parts of a label")
        return _arrows_of_parts([part.strip() for part in split(label_list, ",")])
    edge_labels = values_of(label_list)
    are_enhanced = [isinstance(edge_label, str) and edge_label.startswith("E:") for edge_label in edge_labels]
    if any(are_enhanced) and not all(are_enhanced):
        raise NoEquivalentError("the labels of an arrow are all enhanced or none is")
    if all(are_enhanced):
        enhanced_labels = "|".join(f"={label(str(edge_label)[2:])}" for edge_label in edge_labels)
        return [f"=[{'^' if negated else ''}{enhanced_labels}]=>"]
    return [f"-[{'^' if negated else ''}{_exact_labels(edge_labels)}]->"]


def _exact_labels(values: Values) -> str:
    return "|".join(
        edge_label.literal() if isinstance(edge_label, RegexText) else f"={label(edge_label)}" for edge_label in values
    )


def _arrows_of_parts(parts: list[str]) -> list[str]:
    """Return the arrows for parts of a label: 1 (the relation), 2 (its subtype), deep (after `@`), enhanced."""
    # conditions that must all hold, by part; a group has at most one condition on each part
    groups: list[dict[str, tuple[str, Values]]] = [{}]
    enhanced: set[bool] = set()
    for part in parts:
        match = _LABEL_PART.fullmatch(part)
        key = match and (match["key"] or match["absent_key"] or match["bare_key"])
        if match is None or key not in ("1", "2", "deep", "enhanced"):
            raise NoEquivalentError(f"`{part}` is not a part of a UD or SUD label")
        if key == "enhanced":
            enhanced.add(_is_enhanced(match))
            continue
        op = "!" if match["absent"] else match["op"] or "*"
        if key == "1" and op == "!":
            raise NoEquivalentError("every label has a relation")
        values = values_of(match["values"]) if match["values"] else []
        if all(key in group for group in groups):
            groups.append({})
        group = next(group for group in groups if key not in group)
        group[key] = ("*", []) if values == ["*"] else (op, part_values(key, values))
    labels = list(dict.fromkeys(label_text for group in groups for label_text in _labels(group)))
    if len(enhanced) > 1:
        raise NoEquivalentError("it is never true")
    if True not in enhanced:
        return [f"-[{label_text}]->" for label_text in labels]
    if len(labels) > 1:
        raise NoEquivalentError("different enhanced edges could meet its conditions")
    return [f"=[{label_text}]=>" for label_text in labels]


def _is_enhanced(part: re.Match[str]) -> bool:
    """Return whether a condition on `enhanced` requires an enhanced edge, and not a basic one."""
    values = values_of(part["values"]) if part["values"] else []
    if part["op"] == "<>" or values not in ([], ["*"], ["yes"], ["no"]):
        raise NoEquivalentError("`enhanced` is `yes` or absent")
    return not part["absent"] and values != ["no"]


def _labels(conditions: dict[str, tuple[str, Values]]) -> list[str]:
    """Return label lists, one per arrow, that must all match.

    `conditions` has the operator and the values for each part with a condition.
    """
    relation, subtype, deep = (conditions.get(key) for key in ("1", "2", "deep"))
    if deep is None and relation is not None and (relation_names := _strings(relation[1])) is not None:
        if relation[0] == "=" and subtype is None:
            return [_label_list(relation_names)]
        if relation[0] == "=" and subtype is not None and subtype[0] == "!":
            return [_label_list(relation_names, [""])]
        if relation[0] == "=" and subtype is not None and subtype[0] == "=":
            subtype_names = _strings(subtype[1])
            if subtype_names is not None:
                return [_label_list(relation_names, subtype_names)]
        if relation[0] == "<>" and subtype is None:
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
    """Return the values if none of them is a regular expression, else None."""
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


def _ignores_case(values: Values) -> bool:
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


def label_test(content: str | None, node: str) -> str:
    """Translate an edge from any node to `node` as a test of the label of `node`. A root has a label too."""
    if content is None or not content.strip():
        return node
    tests = [_deprel_test(arrow) for arrow in arrows(content)]
    return f"{node}[{', '.join(tests)}]"


def _deprel_test(arrow: str) -> str:
    if not arrow.startswith("-["):
        raise NoEquivalentError("an enhanced edge from any node is not a test of a word")
    label_text = arrow.removeprefix("-[").removesuffix("]->")
    negated, tests = label_text.startswith("^"), []
    for label_part in split(label_text.removeprefix("^"), "|"):
        if label_part.startswith("/"):
            tests.append(f"deprel = {label_part}")
        else:
            name = label_part.removeprefix("=").strip('"')
            tests.append(f"deprel {'==' if label_part.startswith('=') else '='} {value(name)}")
    disjunction = " or ".join(tests)
    if negated:
        return f"not ({disjunction})"
    return f"({disjunction})" if len(tests) > 1 else disjunction
