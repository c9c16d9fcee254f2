"""Build and apply the fixes of findings.

A fix that removes a part also removes a separator, brackets or line that becomes superfluous. No fix except that of
`remove_item` removes a comment: only the author knows where the comment belongs.

Fixes are applied one rule at a time and the text is linted again, since a fix of one rule may remove the cause of
another rule's finding. Fixes of errors, such as a misspelt keyword, come first, since rules check only what compiles.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from fictdsl.diagnostics.diagnostic import Diagnostic, Fix
from fictdsl.source import Source, Span
from fictdsl.syntax.grammar import Lexeme, lexemes
from fictdsl.syntax.nodes import RESERVED


class FixBuilder:
    def __init__(self, text: str) -> None:
        self.text = text

    def remove_item(self, span: Span, *, safe: bool = True) -> Fix:
        """Return a fix that removes an item or a comment, with its lines if they contain nothing else."""
        start = self.text.rfind("\n", 0, span.start) + 1
        end = self.text.find("\n", span.end) + 1 or len(self.text)
        text_before, text_after = self.text[start : span.start], self.text[span.end : end]
        if not text_before.strip() and not text_after.strip():
            return Fix(Span(start, end), "", safe)
        if not text_after.strip():
            return Fix(Span(start + len(text_before.rstrip()), span.end), "", safe)
        return Fix(Span(span.start, end - len(text_after.lstrip(" \t"))), "", safe)

    def remove_element(self, span: Span, separators: Sequence[str]) -> Fix | None:
        """Return a fix that removes an element and a separator; None if it has none, or a comment would go."""
        first_index, last_index = self._extent(span)
        if self._text_at(first_index - 1) in separators:
            return self._removal([Span(self._lexemes[first_index - 2].span.end, self._lexemes[last_index].span.end)])
        if self._text_at(last_index + 1) in separators:
            return self._removal(
                [Span(self._lexemes[first_index].span.start, self._lexemes[last_index + 2].span.start)]
            )
        return None

    def remove_brackets(self, span: Span) -> Fix | None:
        """Return a fix that removes square brackets with all their content; None if a comment would go."""
        first_index, last_index = self._extent(span)
        if (self._text_at(first_index - 1), self._text_at(last_index + 1)) != ("[", "]"):
            return None
        return self._removal([Span(self._lexemes[first_index - 2].span.end, self._lexemes[last_index + 1].span.end)])

    def remove_clause(self, span: Span) -> Fix | None:
        """Return a fix that removes a clause, a `;` after it, and white space beside it; None if a comment would go."""
        first_index, last_index = self._extent(span)
        if self._lexemes[last_index + 1].text == ";":
            last_index += 1
        start, end = self._lexemes[first_index].span.start, self._lexemes[last_index].span.end
        previous, following = self._lexemes[first_index - 1].span, self._lexemes[last_index + 1].span
        return self._removal([Span(previous.end, end), Span(start, following.start), Span(start, end)])

    @cached_property
    def _lexemes(self) -> tuple[Lexeme, ...]:
        return tuple(lexemes(self.text))

    @cached_property
    def _starts(self) -> list[int]:
        return [lexeme.span.start for lexeme in self._lexemes]

    def _text_at(self, index: int) -> str:
        return self._lexemes[index].text if 0 <= index < len(self._lexemes) else ""

    def _extent(self, span: Span) -> tuple[int, int]:
        """Return the indices of the first and last lexeme of a span, including parentheses around it."""
        first_index, last_index = bisect_left(self._starts, span.start), bisect_left(self._starts, span.end) - 1
        unopened, depth = 0, 0
        for lexeme in self._lexemes[first_index : last_index + 1]:
            depth += (lexeme.text == "(") - (lexeme.text == ")")
            unopened = max(unopened, -depth)
        first_index, last_index = first_index - unopened, last_index + unopened + depth
        while (self._text_at(first_index - 1), self._text_at(last_index + 1)) == ("(", ")"):
            first_index, last_index = first_index - 1, last_index + 1
        return first_index, last_index

    def _removal(self, candidates: Iterable[Span]) -> Fix | None:
        """Return a fix that removes the first of `candidates` that contains no comment; None if all contain one.

        A space replaces the span if two words would otherwise join. A semicolon replaces it between a name and a tuple,
        which would otherwise be parsed as a call.
        """
        for span in candidates:
            if not self._has_comment(span):
                if self._would_form_call(span):
                    return Fix(span, ";")
                neighbours = self.text[span.start - 1 : span.start] + self.text[span.end : span.end + 1]
                return Fix(span, " " if _JOINED_WORDS.fullmatch(neighbours) else "")
        return None

    def _would_form_call(self, span: Span) -> bool:
        index = bisect_left(self._starts, span.start) - 1
        is_name = index >= 0 and self._lexemes[index].kind == "word" and self._lexemes[index].text not in RESERVED
        return is_name and self._text_at(bisect_left(self._starts, span.end)) == "("

    def _has_comment(self, span: Span) -> bool:
        inner_lexemes = self._lexemes[bisect_left(self._starts, span.start) : bisect_left(self._starts, span.end)]
        return self.text.count("#", span.start, span.end) > sum(lexeme.text.count("#") for lexeme in inner_lexemes)


_SEGMENT = re.compile(r"[\0-\x7f]?[^\0-\x7f]*")  # NFC never combines an ASCII character with the one before it
_JOINED_WORDS = re.compile(r"\w\w")
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
    """Return a function from offsets in the NFC form of `text` to offsets in it; None where NFC changes it."""
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
