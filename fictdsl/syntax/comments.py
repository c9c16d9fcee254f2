"""The comments and blank lines of a text, consumed in order while its syntax tree is printed."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import takewhile

from fictdsl.syntax.document import Break, Doc, Line, Note, join
from fictdsl.syntax.scan import TRANSPARENT, Comment, Lexeme, comments, lexemes


class Trivia:
    """The comments and blank lines of a text. Each comment is consumed once, in order."""

    def __init__(self, text: str = "") -> None:
        self._text = text
        self._lexemes: list[Lexeme] = list(lexemes(text))
        self._starts = [lexeme.span.start for lexeme in self._lexemes]
        self._remaining = deque(comments(text, self._lexemes))
        self._line_has_note = False  # whether the current line ends with a consumed comment

    @property
    def texts(self) -> list[str]:
        """The comments that have not been consumed."""
        return [comment.text for comment in self._remaining]

    @property
    def end(self) -> int:
        return len(self._text)

    # --- comments

    def leading_comments(self, start: int) -> Doc:
        """Consume the comments before `start` and lay them out on lines of their own."""
        gaps = self._gaps(start)
        self._line_has_note = False
        return self._on_own_lines(self._consume(start), gaps)

    def comments_around(self, start: int, end: int) -> tuple[Doc, Doc]:
        """Consume the comments before, in and right after the text from `start` to `end`. Return (leading, trailing).

        The trailing comment is the last directive at a line end, or else the last comment at a line end. Comments
        before it become leading comments; comments after it are left for the following text.
        """
        gaps = self._gaps(start)
        leading, inner_comments = self._consume(start), self._consume(end)
        if self._remaining and self._remaining[0].follows(end):
            inner_comments.append(self._remaining.popleft())
        line_end_indices = [index for index, comment in enumerate(inner_comments) if not comment.own_line]
        trailing_index = max(
            line_end_indices, key=lambda index: (inner_comments[index].is_directive, index), default=len(inner_comments)
        )
        self._remaining.extendleft(
            replace(comment, own_line=True) for comment in reversed(inner_comments[trailing_index + 1 :])
        )
        self._line_has_note = trailing_index < len(inner_comments)
        lines = self._on_own_lines([*leading, *inner_comments[:trailing_index]], [*gaps, *[False] * trailing_index])
        return lines, Note(inner_comments[trailing_index].text) if self._line_has_note else ""

    def _gaps(self, start: int) -> list[bool]:
        """Return, for each remaining comment before `start`, whether a blank line follows it.

        The caller prints the blank line before the first comment.
        """
        starts = [comment.start for comment in takewhile(lambda comment: comment.start < start, self._remaining)]
        return [self._blank_line_at(position) for position in [*starts[1:], start]] if starts else []

    @staticmethod
    def _on_own_lines(consumed: Sequence[Comment], gaps: Sequence[bool]) -> Doc:
        lines = [part for comment, gap in zip(consumed, gaps, strict=True) for part in (Note(comment.text), Break(gap))]
        return join(*lines) if lines else ""

    def _consume(self, end: int) -> list[Comment]:
        consumed = []
        while self._remaining and self._remaining[0].start < end:
            consumed.append(self._remaining.popleft())
        return consumed

    def trailing_comment(self, end: int) -> Doc:
        """Consume the comment that follows `end` on the same line, if there is one."""
        if self._remaining and self._remaining[0].follows(end):
            self._line_has_note = True
            return Note(self._remaining.popleft().text)
        return ""

    def remaining_comments(self, end: int) -> Doc:
        """Consume the comments left before `end` and lay each out on a new line."""
        return join(
            *(
                part
                for comment in self._consume(end)
                for part in (Break(self._blank_line_at(comment.start)), Note(comment.text))
            )
        )

    # --- lines

    def blank_line_before(self, start: int) -> bool:
        """Return whether there is a blank line before `start`, or, if comments precede it, before the first of them."""
        first_start = self._remaining[0].start if self._remaining and self._remaining[0].start < start else start
        return self._blank_line_at(first_start)

    def any_blank_line_before(self, start: int) -> bool:
        """Return whether there is a blank line before `start` or before any comment that precedes it."""
        comment_starts = takewhile(lambda position: position < start, (comment.start for comment in self._remaining))
        return any(self._blank_line_at(position) for position in [*comment_starts, start])

    def line_break(self, start: int, flat: str = " ") -> Doc:
        """Return an optional break before `start`, or plain `flat` if a directive pins the line."""
        return flat if self.is_pinned(start) else Line(flat)

    def is_pinned(self, start: int) -> bool:
        """Return whether a directive `# fict: …` at the end of the line of `start` forbids a line break before it."""
        index = self._index(start) - 1
        while index >= 0 and self._lexemes[index].text in TRANSPARENT:
            index -= 1
        if index < 0 or "\n" in self._text[self._lexemes[index].span.end : start]:
            return False
        return not self._line_has_note and self._text.find("\n", start) in self._directive_line_ends

    @cached_property
    def _directive_line_ends(self) -> frozenset[int]:
        """The ends of the lines that end with a directive."""
        directives = (
            comment for comment in comments(self._text, self._lexemes) if comment.is_directive and not comment.own_line
        )
        return frozenset(self._text.find("\n", directive.start) for directive in directives)

    def _blank_line_at(self, start: int) -> bool:
        start = end = min(start, len(self._text))
        while start and self._text[start - 1].isspace():
            start -= 1
        return self._text.count("\n", start, end) > 1

    # --- lexemes

    def end_of(self, text: str, start: int) -> int:
        """Return the end of the first lexeme `text` at or after `start`, or `start` if there is none."""
        for index in range(self._index(start), len(self._lexemes)):
            if self._lexemes[index].text == text:
                return self._lexemes[index].span.end
        return start

    def previous_start(self, start: int, skip: str = "") -> int:
        """Return the start of the lexeme before `start`, skipping the lexemes `skip`, or `start` if there is none."""
        index = self._index(start) - 1
        while index > 0 and self._lexemes[index].text == skip:
            index -= 1
        return self._starts[index] if index >= 0 else start

    def _index(self, start: int) -> int:
        return bisect_left(self._starts, start)
