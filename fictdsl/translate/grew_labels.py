"""Translate the labels in an arrow of Grew."""

from __future__ import annotations

import re
from itertools import product

from fictdsl.translate.grew_values import RegexText, Values, split, values_of
from fictdsl.translate.writer import NoEquivalentError, label, regex, value

_LABEL_PART = re.compile(r"(?P<key>\w+)\s*(?P<op><>|=)\s*(?P<values>.+)|(?P<absent>!)\s*(?P<gone>\w+)|(?P<bare>\w+)")


def arrows(content: str | None) -> list[str]:
    """Return the arrows that must all hold for an edge, such as `-[=nsubj]->`, or `=[l]=>` for an enhanced edge."""
    if content is None:
        return ["->"]
    content = content.strip()
    negated = content.startswith("^")
    label_list = content.removeprefix("^").strip()
    if not negated and re.search(r"[=!,]|<>|^[12]$|^enhanced$", re.sub(r're"[^"]*"|"[^"]*"|/[^/]*/', "", label_list)):
        return _arrows_of_parts([part.strip() for part in split(label_list, ",")])
    part_values = values_of(label_list)
    if part_values and all(isinstance(each, str) and each.startswith("E:") for each in part_values):
        enhanced_labels = "|".join(f"={label(str(each)[2:])}" for each in part_values)
        return [f"=[{'^' if negated else ''}{enhanced_labels}]=>"]
    return [f"-[{'^' if negated else ''}{_exact(part_values)}]->"]


def _exact(values: Values) -> str:
    return "|".join(each.literal() if isinstance(each, RegexText) else f"={label(each)}" for each in values)


def _arrows_of_parts(parts: list[str]) -> list[str]:
    """Return the arrows for parts of a label: 1 (the relation), 2 (its subtype), deep (after `@`), enhanced."""
    fields: dict[str, tuple[str, Values]] = {}
    enhanced = False
    for part in parts:
        match = _LABEL_PART.fullmatch(part)
        key = match and (match["key"] or match["gone"] or match["bare"])
        if match is None or key not in ("1", "2", "deep", "enhanced"):
            raise NoEquivalentError(f"`{part}` is not a part of a UD or SUD label")
        if key == "enhanced":
            enhanced = not match["absent"] and match["values"] != "no"
            continue
        op = "!" if match["absent"] else match["op"] or "*"
        part_values = values_of(match["values"]) if match["values"] else []
        fields[key] = ("*", []) if part_values == ["*"] else (op, part_values)
    labels = _labels(fields)
    return [f"=[{each}]=>" for each in labels] or ["==>"] if enhanced else [f"-[{each}]->" for each in labels] or ["->"]


def _labels(fields: dict[str, tuple[str, Values]]) -> list[str]:
    """Return lists of labels that must all match."""
    relation, subtype, deep = (fields.get(key) for key in ("1", "2", "deep"))
    if deep is None and relation is not None and relation[0] == "=":
        if subtype is None and not any(isinstance(each, RegexText) for each in relation[1]):
            return ["|".join(label(str(each)) for each in relation[1])]
        if subtype is not None and subtype[0] == "!":
            return [_exact(relation[1])]
        if (
            subtype is not None
            and subtype[0] == "="
            and not any(isinstance(v, RegexText) for v in relation[1] + subtype[1])
        ):
            return ["|".join(f"={label(f'{one}:{two}')}" for one, two in product(relation[1], subtype[1]))]
    if deep is None and subtype is None and relation is not None and relation[0] == "<>":
        return [f"^{'|'.join(label(str(each)) for each in relation[1])}"]
    shape = [_part_pattern(relation, "[^:@]+"), _part_pattern(subtype, "[^@]+"), _part_pattern(deep, ".+")]
    labels = [regex(_label_pattern(*shape))]
    for index, field in enumerate((relation, subtype, deep)):
        if field is not None and field[0] == "<>":
            excluded = [_part_pattern(None, "[^:@]+"), _part_pattern(None, "[^@]+"), _part_pattern(None, ".+")]
            excluded[index] = _alternatives(field[1])
            labels.append(f"^{regex(_label_pattern(*excluded))}")
    return labels


def _part_pattern(field: tuple[str, Values] | None, anything: str) -> str | None:
    """Return the regular expression of a part; "" if it must be absent, None if it may be absent."""
    if field is None:
        return None
    op, values = field
    if op == "!":
        return ""
    return _alternatives(values) if op == "=" else anything


def _label_pattern(relation: str | None, subtype: str | None, deep: str | None) -> str:
    subtype_part = "(:[^@]+)?" if subtype is None else f":{subtype}" if subtype else ""
    deep_part = "(@.+)?" if deep is None else f"@{deep}" if deep else ""
    return f"{relation or '[^:@]+'}{subtype_part}{deep_part}"


def _alternatives(values: Values) -> str:
    texts = [each.text if isinstance(each, RegexText) else re.sub(r"(\W)", r"\\\1", each) for each in values]
    return texts[0] if len(texts) == 1 and isinstance(values[0], str) else f"({'|'.join(texts)})"


def label_test(content: str | None, node: str) -> str:
    """Translate an edge from any node to `node` as a test of the label of `node`. A root has a label too."""
    if content is None:
        return node
    tests = [_deprel_test(arrow) for arrow in arrows(content)]
    return f"{node}[{', '.join(tests)}]"


def _deprel_test(arrow: str) -> str:
    if not arrow.startswith("-["):
        raise NoEquivalentError("an enhanced edge from any node is not a test of a word")
    inner = arrow.removeprefix("-[").removesuffix("]->")
    negated, tests = inner.startswith("^"), []
    for part in split(inner.removeprefix("^"), "|"):
        if part.startswith("/"):
            tests.append(f"deprel = {part}")
        else:
            name = part.removeprefix("=").strip('"')
            tests.append(f"deprel {'==' if part.startswith('=') else '='} {value(name)}")
    joined = " or ".join(tests)
    if negated:
        return f"not ({joined})"
    return f"({joined})" if len(tests) > 1 else joined
