"""Conditions at amounts of something to lines along it, no line with two conditions at one amount."""

from __future__ import annotations

import re
from collections.abc import Mapping

NUMBER = re.compile(r"[\W_]*\d+(?:\.\d+)?%?")


def strands(amounts: Mapping[str, float], base: str | None = None) -> dict[str, tuple[str, ...]]:
    """Amounts by condition to the conditions of each line, by its label.

    One line, labelled "", where all amounts differ; else a line of the conditions whose names differ in numbers alone;
    else each condition alone. `base` is where all lines begin, beside no other condition of its amount.
    """
    rest = {name: at for name, at in amounts.items() if name != base}
    lines = {"": list(rest)}
    if not _distinct(rest, lines):
        lines = {}
        for name in rest:
            lines.setdefault(NUMBER.sub("", name), []).append(name)
        if not _distinct(rest, lines):
            lines = {name: [name] for name in rest}
    if base is None or base not in amounts:
        return {label: tuple(names) for label, names in lines.items()}
    free = {label for label, names in lines.items() if amounts[base] not in {rest[name] for name in names}}
    found = {label: (base, *names) if label in free else tuple(names) for label, names in lines.items()}
    return found if free else {**found, base: (base,)}


def _distinct(amounts: Mapping[str, float], lines: Mapping[str, list[str]]) -> bool:
    return all(len({amounts[name] for name in names}) == len(names) for names in lines.values())
