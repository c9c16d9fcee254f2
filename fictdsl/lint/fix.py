"""Apply the safe fixes of lint findings to a text.

Fixes are applied one rule at a time and the text is linted again, since a fix of one rule may remove the cause of
another rule's finding. Fixes of errors, such as a misspelt keyword, come first, since rules check only what compiles.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fictdsl.diagnostics.diagnostic import Diagnostic, Fix
from fictdsl.source import Source

_SEGMENT = re.compile(r"[\0-\x7f]?[^\0-\x7f]*")  # NFC never combines an ASCII character with the one before it
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class FixResult:
    """A text after `count` fixes, and its remaining diagnostics."""

    text: str
    count: int
    remaining: tuple[Diagnostic, ...]


def fix(text: str, lint: Callable[[str], Sequence[Diagnostic]]) -> FixResult:
    """Apply the safe fixes of the findings of `lint` until none is left. The rest of the text stays unchanged.

    In a text that does not compile, only errors are fixed. Raises AssertionError if a fix of a rule prevents
    compilation, a bug in the rule.
    """
    count = 0
    findings = lint(text)
    earlier_texts: set[str] = set()
    while text not in earlier_texts and (fixes := _select_fixes(text, findings)):
        edits = list(_text_edits(text, fixes))
        if not edits:
            break
        earlier_texts.add(text)
        did_compile = not any(finding.prevents_compilation for finding in findings)
        for start, end, replacement in reversed(edits):
            text = text[:start] + replacement + text[end:]
        count += len(edits)
        findings = lint(text)
        errors = [finding.message for finding in findings if finding.prevents_compilation]
        assert not (did_compile and errors), f"a fix led to an error: {errors[0]}"
    return FixResult(text, count, tuple(findings))


def _select_fixes(text: str, findings: Sequence[Diagnostic]) -> list[Fix]:
    """Return the safe fixes of one rule in order, except those that overlap or touch an earlier one.

    If there are errors, return the fixes of one error code. Errors in files that the text uses are not fixed.
    """
    own_source = Source.of(text.removeprefix(_BOM))
    errors = [finding for finding in findings if finding.prevents_compilation]
    fixable = [error for error in errors if error.source is not None and error.source.text == own_source.text]
    fixable = fixable if errors else list(findings)
    safe_fixes = [(finding.code, finding.fix) for finding in fixable if finding.fix is not None and finding.fix.safe]
    first_code = min((code for code, _ in safe_fixes), default="")
    selected: list[Fix] = []
    for fix in sorted({fix for code, fix in safe_fixes if code == first_code}, key=lambda fix: fix.span):
        if not selected or selected[-1].span.end < fix.span.start:
            selected.append(fix)
    return selected


def _text_edits(text: str, fixes: Sequence[Fix]) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and replacement of each fix in `text`. Spans of fixes are offsets in the NFC text."""
    bom_length = len(text) - len(text.removeprefix(_BOM))
    to_original = _offset_mapping(text[bom_length:])
    for fix in fixes:
        start, end = to_original(fix.span.start), to_original(fix.span.end)
        if start is not None and end is not None:
            yield bom_length + start, bom_length + end, fix.replacement


def _offset_mapping(text: str) -> Callable[[int], int | None]:
    """Return a function from offsets in the NFC form of `text` to offsets in `text`.

    It returns None inside a segment that NFC changes.
    """
    if unicodedata.is_normalized("NFC", text):
        return lambda offset: offset
    normalized_starts, segments = [0], []
    length = 0
    for match in _SEGMENT.finditer(text):
        normalized = unicodedata.normalize("NFC", match[0])
        segments.append((match.start(), match[0] == normalized))
        length += len(normalized)
        normalized_starts.append(length)

    def to_original(offset: int) -> int | None:
        index = bisect_right(normalized_starts, offset) - 1
        if index >= len(segments):
            return len(text)
        start, is_unchanged = segments[index]
        offset_in_segment = offset - normalized_starts[index]
        return start + offset_in_segment if is_unchanged or offset_in_segment == 0 else None

    return to_original
