"""Group conditions into the lines of a chart whose x axis is an amount, such as the share of injected text."""

from __future__ import annotations

import re
from collections.abc import Mapping

NUMBER = re.compile(r"[\W_]*\d+(?:\.\d+)?%?")


def split_series(amounts: Mapping[str, float], base: str | None = None) -> dict[str, tuple[str, ...]]:
    """Return the conditions of each line by label. No line has two conditions with equal amounts.

    If all amounts differ, there is one line, labelled "". Otherwise, conditions whose names differ only in numbers form
    a line; if such a line has equal amounts, each condition is a line. `base` starts every line that has no other
    condition with its amount, and is a line of its own if there is none.
    """
    other_amounts = {name: amount for name, amount in amounts.items() if name != base}
    lines = {"": list(other_amounts)}
    if not _has_distinct_amounts(other_amounts, lines):
        lines = {}
        for name in other_amounts:
            lines.setdefault(NUMBER.sub("", name), []).append(name)
        if not _has_distinct_amounts(other_amounts, lines):
            lines = {name: [name] for name in other_amounts}
    if base is None or base not in amounts:
        return {label: tuple(names) for label, names in lines.items()}
    extensible = {
        label for label, names in lines.items() if amounts[base] not in {other_amounts[name] for name in names}
    }
    extended = {label: (base, *names) if label in extensible else tuple(names) for label, names in lines.items()}
    return extended if extensible else {**extended, base: (base,)}


def _has_distinct_amounts(amounts: Mapping[str, float], lines: Mapping[str, list[str]]) -> bool:
    return all(len({amounts[name] for name in names}) == len(names) for names in lines.values())
