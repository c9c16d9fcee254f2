"""Translate the labels in an arrow of Grew."""

from __future__ import annotations

import re
from itertools import product

from fictdsl.translate.grew_values import RegexText, Values, split, values_of
from fictdsl.translate.writer import NoEquivalentError, label, regex, value

_PART = re.compile(r"(?P<key>\w+)\s*(?P<op><>|=)\s*(?P<values>.+)|(?P<absent>!)\s*(?P<gone>\w+)|(?P<bare>\w+)")


def arrows(content: str | None) -> list[str]:
    """Return the arrows that must all hold for an edge, such as `-[=nsubj]->`, or `=[l]=>` for an enhanced edge."""
    if content is None:
        return ["->"]
    content = content.strip()
    negated = content.startswith("^")
    listed = content.removeprefix("^").strip()
    if not negated and re.search(r"[=!,]|<>|^[12]$|^enhanced$", re.sub(r're"[^"]*"|"[^"]*"|/[^/]*/', "", listed)):
        return _structure([part.strip() for part in split(listed, ",")])
    found = values_of(listed)
    if found and all(isinstance(each, str) and each.startswith("E:") for each in found):
        return [f"=[{'^' if negated else ''}{'|'.join(f'={label(str(each)[2:])}' for each in found)}]=>"]
    return [f"-[{'^' if negated else ''}{_exact(found)}]->"]


def _exact(values: Values) -> str:
    return "|".join(each.literal() if isinstance(each, RegexText) else f"={label(each)}" for each in values)


def _structure(parts: list[str]) -> list[str]:
    """Translate parts of a label: 1 (the relation), 2 (its subtype), deep (after `@`), enhanced."""
    fields: dict[str, tuple[str, Values]] = {}
    enhanced = False
    for part in parts:
        match = _PART.fullmatch(part)
        key = match and (match["key"] or match["gone"] or match["bare"])
        if match is None or key not in ("1", "2", "deep", "enhanced"):
            raise NoEquivalentError(f"`{part}` is not a part of a UD or SUD label")
        if key == "enhanced":
            enhanced = not match["absent"] and match["values"] != "no"
            continue
        op = "!" if match["absent"] else match["op"] or "*"
        found = values_of(match["values"]) if match["values"] else []
        fields[key] = ("*", []) if found == ["*"] else (op, found)
    labels = _labels(fields)
    return [f"=[{each}]=>" for each in labels] or ["==>"] if enhanced else [f"-[{each}]->" for each in labels] or ["->"]


def _labels(fields: dict[str, tuple[str, Values]]) -> list[str]:
    """Return lists of labels that must all match."""
    first, second, deep = (fields.get(key) for key in ("1", "2", "deep"))
    if deep is None and first is not None and first[0] == "=":
        if second is None and not any(isinstance(each, RegexText) for each in first[1]):
            return ["|".join(label(str(each)) for each in first[1])]
        if second is not None and second[0] == "!":
            return [_exact(first[1])]
        if second is not None and second[0] == "=" and not any(isinstance(v, RegexText) for v in first[1] + second[1]):
            return ["|".join(f"={label(f'{one}:{two}')}" for one, two in product(first[1], second[1]))]
    if deep is None and second is None and first is not None and first[0] == "<>":
        return [f"^{'|'.join(label(str(each)) for each in first[1])}"]
    shape = [_part_pattern(first, "[^:@]+"), _part_pattern(second, "[^@]+"), _part_pattern(deep, ".+")]
    labels = [regex(_label_pattern(*shape))]
    for index, field in enumerate((first, second, deep)):
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


def _label_pattern(first: str | None, second: str | None, deep: str | None) -> str:
    two = "(:[^@]+)?" if second is None else f":{second}" if second else ""
    three = "(@.+)?" if deep is None else f"@{deep}" if deep else ""
    return f"{first or '[^:@]+'}{two}{three}"


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
