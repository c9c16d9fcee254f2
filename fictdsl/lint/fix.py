"""A text into the text with everything fixed that can be fixed without a change of meaning.

Fixes are made rule by rule, since what one rule takes out may be what another one's finding rests on.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Severity

_SEGMENT = re.compile(r"[\0-\x7f]?[^\0-\x7f]*")  # no ASCII character joins what stands before it
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Fixed:
    """The text after `count` fixes, and what is still to be said of it."""

    text: str
    count: int
    left: tuple[Diagnostic, ...]


def fix(text: str, lint: Callable[[str], Sequence[Diagnostic]]) -> Fixed:
    """Make the safe fixes of what `lint` finds in a text, until none is left; all else stays as it is written.

    A text with errors is left alone. Raises AssertionError for a fix that leads to an error: that is a bug.
    """
    count = 0
    found = lint(text)
    while chosen := _chosen(found):
        edits = list(_placed(text, chosen))
        if not edits:
            break
        for start, end, replacement in reversed(edits):
            text = text[:start] + replacement + text[end:]
        count += len(edits)
        found = lint(text)
        errors = [problem.message for problem in found if problem.severity is Severity.ERROR]
        assert not errors, f"a fix led to an error: {errors[0]}"
    return Fixed(text, count, tuple(found))


def _chosen(found: Sequence[Diagnostic]) -> list[Fix]:
    """The safe fixes of one rule, in order, none of which overlaps or touches another."""
    if any(problem.severity is Severity.ERROR for problem in found):
        return []
    safe = [(problem.code, problem.fix) for problem in found if problem.fix is not None and problem.fix.safe]
    first = min((code for code, _ in safe), default="")
    chosen: list[Fix] = []
    for each in sorted({fix for code, fix in safe if code == first}, key=lambda fix: fix.span):
        if not chosen or chosen[-1].span.end < each.span.start:
            chosen.append(each)
    return chosen


def _placed(text: str, fixes: Sequence[Fix]) -> Iterator[tuple[int, int, str]]:
    """Where the fixes, which speak of the NFC text, stand in the text as it was written."""
    skipped = len(text) - len(text.removeprefix(_BOM))
    place = _written(text[skipped:])
    for each in fixes:
        start, end = place(each.span.start), place(each.span.end)
        if start is not None and end is not None:
            yield skipped + start, skipped + end, each.replacement


def _written(text: str) -> Callable[[int], int | None]:
    """An offset in the NFC of a text into the offset in the text; None inside of what is written in another form."""
    if unicodedata.is_normalized("NFC", text):
        return lambda offset: offset
    starts, segments = [0], []
    at = 0
    for match in _SEGMENT.finditer(text):
        normal = unicodedata.normalize("NFC", match[0])
        segments.append((match.start(), match[0] == normal))
        at += len(normal)
        starts.append(at)

    def place(offset: int) -> int | None:
        index = bisect_right(starts, offset) - 1
        if index >= len(segments):
            return len(text)
        start, same = segments[index]
        inside = offset - starts[index]
        return start + inside if same or inside == 0 else None

    return place
