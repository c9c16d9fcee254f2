"""Formatting of numbers: percent, points, intervals, p-values, counts. And the words that differ between two texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import TypeAlias

MISSING = "–"
MINUS = "−"
SCIENTIFIC_FROM = 1e15  # numbers from this magnitude on are written in scientific notation


def percent(value: float | None, digits: int = 1) -> str:
    """Format a share in percent: 0.8634 → `86.3`."""
    return MISSING if value is None else f"{100 * value:.{digits}f}"


def points(value: float | None) -> str:
    """Format a difference in points: −0.302 → `−30.2`, 0.004 → `+0.4`. A value that rounds to zero has no sign."""
    if value is None:
        return MISSING
    return signed(100 * value, 1)


def signed(value: float | None, digits: int = 2) -> str:
    """Format a number with its sign, unless it rounds to zero."""
    if value is None:
        return MISSING
    text = f"{abs(value):.{digits}f}" if abs(value) < SCIENTIFIC_FROM else f"{abs(value):.3g}"
    if float(text) == 0:
        return text
    return ("+" if value > 0 else MINUS) + text


def number(value: float | None, digits: int = 2) -> str:
    """Format a number, with U+2212 as the minus sign. Numbers from 1,000 on have no decimals."""
    if value is None:
        return MISSING
    text = (
        f"{abs(value):,.{digits if abs(value) < 1000 else 0}f}" if abs(value) < SCIENTIFIC_FROM else f"{abs(value):.3g}"
    )
    return (MINUS if value < 0 and float(text.replace(",", "")) != 0 else "") + text


def count(value: int | None) -> str:
    return MISSING if value is None else f"{value:,}"


def p_value(value: float | None) -> str:
    """Format a p-value with three decimals, or as `<0.001`."""
    if value is None:
        return MISSING
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def interval(low: float | None, high: float | None) -> str:
    """Format an interval in points, `[−32.3, −28.0]`, or return `no interval`."""
    return "no interval" if low is None or high is None else f"[{points(low)}, {points(high)}]"


def percentage(value: float) -> str:
    """Format a share as a percentage with a percent sign: 0.95 → `95 %`."""
    return f"{100 * value:g} %"


def abbreviated(items: Sequence[str], limit: int = 4) -> str:
    """Join the first `limit` items and count the others: `a; b; c; d; 3 more`."""
    return "; ".join(items if len(items) <= limit else [*items[:limit], f"{count(len(items) - limit)} more"])


Piece: TypeAlias = tuple[str, bool]  # words, and whether they differ


def word_changes(before: str, after: str) -> Iterator[tuple[list[str], list[str], bool]]:
    """Align two versions of a sentence, and yield for each stretch the words of both and whether they differ."""
    old, new = before.split(" "), after.split(" ")
    for tag, old_start, old_end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield old[old_start:old_end], new[new_start:new_end], tag != "equal"


def marked_pieces(before: str, after: str) -> tuple[list[Piece], list[Piece]]:
    """Return the non-empty stretches of each version, and whether each of them differs."""
    stretches = list(word_changes(before, after))
    old = [(" ".join(words), differs) for words, _, differs in stretches if words]
    new = [(" ".join(words), differs) for _, words, differs in stretches if words]
    return old, new
