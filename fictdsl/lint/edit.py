"""Parts of a text into the fixes that take them out, with the separator, bracket or line that would be left over.

A fix that would take a comment along is none: a person wrote it, and has to say where it belongs.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property

from fictdsl.diagnostics.diagnostic import Fix
from fictdsl.source import Span
from fictdsl.syntax.text.scan import Lexeme, lexemes


class Editor:
    """Makes the fixes of one text, which has no syntax errors."""

    def __init__(self, text: str) -> None:
        self.text = text

    def line(self, span: Span, *, safe: bool = True) -> Fix:
        """Take out an item or a comment: with its lines, where nothing else stands on them."""
        start = self.text.rfind("\n", 0, span.start) + 1
        end = self.text.find("\n", span.end) + 1 or len(self.text)
        before, after = self.text[start : span.start], self.text[span.end : end]
        if not before.strip() and not after.strip():
            return Fix(Span(start, end), "", safe)
        if not after.strip():
            return Fix(Span(start + len(before.rstrip()), span.end), "", safe)
        return Fix(Span(span.start, end - len(after.lstrip(" \t"))), "", safe)

    def element(self, span: Span, separators: Sequence[str]) -> Fix | None:
        """Take out one of several things that stand between `separators`, with the one before it or after it."""
        first, last = self._outline(span)
        before, after = self._at(first - 1), self._at(last + 1)
        if before is not None and before.text in separators:
            return self._cut([Span(self._lexemes[first - 2].span.end, self._lexemes[last].span.end)])
        if after is not None and after.text in separators:
            return self._cut([Span(self._lexemes[first].span.start, self._lexemes[last + 2].span.start)])
        return None

    def bracket(self, span: Span) -> Fix | None:
        """Take out what is the whole content of square brackets, with the brackets."""
        first, last = self._outline(span)
        before, after = self._at(first - 1), self._at(last + 1)
        if before is None or after is None or (before.text, after.text) != ("[", "]"):
            return None
        return self._cut([Span(self._lexemes[first - 2].span.end, after.span.end)])

    def clause(self, span: Span) -> Fix | None:
        """Take out a clause, with the white space before it or after it, and the `;` after it."""
        first, last = self._outline(span)
        if self._lexemes[last + 1].text == ";":
            last += 1
        start, end = self._lexemes[first].span.start, self._lexemes[last].span.end
        before, after = self._lexemes[first - 1].span.end, self._lexemes[last + 1].span.start
        return self._cut([Span(before, end), Span(start, after), Span(start, end)])

    @cached_property
    def _lexemes(self) -> tuple[Lexeme, ...]:
        return tuple(lexemes(self.text))

    @cached_property
    def _starts(self) -> list[int]:
        return [lexeme.span.start for lexeme in self._lexemes]

    def _at(self, place: int) -> Lexeme | None:
        return self._lexemes[place] if 0 <= place < len(self._lexemes) else None

    def _outline(self, span: Span) -> tuple[int, int]:
        """The first and the last piece of a part, with the parentheses around it, which spans leave out."""
        first, last = bisect_left(self._starts, span.start), bisect_left(self._starts, span.end) - 1
        lacking, depth = 0, 0
        for lexeme in self._lexemes[first : last + 1]:
            depth += (lexeme.text == "(") - (lexeme.text == ")")
            lacking = max(lacking, -depth)
        first, last = first - lacking, last + lacking + depth
        while (before := self._at(first - 1)) and (after := self._at(last + 1)):
            if (before.text, after.text) != ("(", ")"):
                break
            first, last = first - 1, last + 1
        return first, last

    def _cut(self, choices: Iterable[Span]) -> Fix | None:
        """Take out the first of the stretches that holds no comment; what it stood between is kept apart."""
        for span in choices:
            if not self._has_comment(span):
                around = self.text[span.start - 1 : span.start] + self.text[span.end : span.end + 1]
                return Fix(span, " " if len(around) == 2 and all(_in_word(char) for char in around) else "")
        return None

    def _has_comment(self, span: Span) -> bool:
        inside = self._lexemes[bisect_left(self._starts, span.start) : bisect_left(self._starts, span.end)]
        return self.text.count("#", span.start, span.end) > sum(lexeme.text.count("#") for lexeme in inside)


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_"
