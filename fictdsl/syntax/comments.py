"""A text into its comments and empty lines, handed out in order to whoever prints what stands beside them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

from fictdsl.syntax.document import Break, Doc, Line, Note, join
from fictdsl.syntax.scan import Bit, bits

_COMMENT = re.compile(r"#[^\n]*")
_IGNORE = re.compile(r"#\s*fict:")

# A comment after one of these belongs to the word before it.
_LIGHT = frozenset({",", ";", "(", ")", "or"})


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment without the spaces at its end; `after` is where the word or sign that it follows ends."""

    text: str
    start: int
    own_line: bool
    after: int


class Margin:
    """What a text holds beside its words: each comment is taken once, in order. That of no text is empty."""

    def __init__(self, text: str = "") -> None:
        self._text = text
        self._bits: list[Bit] = list(bits(text))
        self._starts = [bit.span.start for bit in self._bits]
        self._left = deque(self._comments())

    @property
    def texts(self) -> list[str]:
        """The comments that have not been taken."""
        return [comment.text for comment in self._left]

    @property
    def end(self) -> int:
        """The end of the text."""
        return len(self._text)

    def _comments(self) -> list[Comment]:
        found, end, after = [], 0, 0
        for bit in [*self._bits, None]:
            until = bit.span.start if bit else len(self._text)
            for match in _COMMENT.finditer(self._text, end, until):
                own_line = "\n" in self._text[end : match.start()] or end == 0
                found.append(Comment(match[0].rstrip(), match.start(), own_line, after))
                end = match.end()
            if bit:
                end = bit.span.end
                after = after if bit.text in _LIGHT else end
        return found

    # --- comments

    def around(self, start: int, end: int) -> tuple[Doc, Doc]:
        """What stands above and beside the words from `start` to `end`, on lines of its own and on theirs.

        Comments among these words go above if they have a line of their own, up to the first that has none: it goes
        beside, and those after it are left for what follows.
        """
        above: list[Doc] = []
        empty = False  # whether an empty line stands before what comes next; that before the first is not ours
        while self._left and self._left[0].start < start:
            comment = self._left.popleft()
            above += [*([Break(self._empty_line(comment.start))] if above else []), Note(comment.text)]
            empty = self._empty_line(start)
        while self._left and self._left[0].start < end and self._left[0].own_line:
            above += [*([Break(empty)] if above else []), Note(self._left.popleft().text)]
            empty = False
        if self._left and self._left[0].start < end:
            beside: Doc = Note(self._left.popleft().text)
            self._left = deque(replace(c, own_line=c.own_line or c.after <= end) for c in self._left)
        else:
            beside = self.beside(end)
        return join(*above, Break(empty)) if above else "", beside

    def beside(self, end: int) -> Doc:
        """The comment that follows what ends at `end`, on the same line."""
        if self._left and not self._left[0].own_line and self._left[0].after <= end:
            return Note(self._left.popleft().text)
        return ""

    def below(self, end: int) -> Doc:
        """The comments that are left before `end`, each on a new line."""
        found: list[Doc] = []
        while self._left and self._left[0].start < end:
            comment = self._left.popleft()
            found += [Break(self._empty_line(comment.start)), Note(comment.text)]
        return join(*found)

    # --- lines

    def gap(self, start: int) -> bool:
        """Whether an empty line stands before `start`, or before the first comment above it."""
        above = self._left[0].start if self._left and self._left[0].start < start else start
        return self._empty_line(above)

    def gaps(self, start: int) -> bool:
        """Whether an empty line stands before `start` or before any comment above it."""
        above = takewhile(lambda at: at < start, (comment.start for comment in self._left))
        return any(self._empty_line(at) for at in [*above, start])

    def line(self, start: int, flat: str = " ") -> Doc:
        """The white space before `start`: a line may end here, but for a line on which a comment silences a lint."""
        return flat if self.held(start) else Line(flat)

    def held(self, start: int) -> bool:
        """Whether the words around `start` stand on one line with a comment `# fict: …`, and must stay together."""
        at = self._index(start)
        if at == 0 or "\n" in self._text[self._bits[at - 1].span.end : start]:
            return False
        newline = self._text.find("\n", start)
        return newline in self._ignored

    @cached_property
    def _ignored(self) -> frozenset[int]:
        """The ends of the lines on which a comment silences something."""
        found = (c for c in self._comments() if not c.own_line and _IGNORE.match(c.text))
        return frozenset(self._text.find("\n", comment.start) for comment in found)

    def _empty_line(self, start: int) -> bool:
        start = end = min(start, len(self._text))
        while start and self._text[start - 1].isspace():
            start -= 1
        return self._text.count("\n", start, end) > 1

    # --- words

    def after(self, sign: str, start: int) -> int:
        """Where the first such word or sign at or after `start` ends; `start` if there is none."""
        at = self._index(start)
        return next((bit.span.end for bit in self._bits[at:] if bit.text == sign), start)

    def before(self, start: int) -> int:
        """Where the word before the one at `start` begins; `start` if there is none."""
        at = self._index(start)
        return self._starts[at - 1] if at else start

    def _index(self, start: int) -> int:
        return bisect_left(self._starts, start)
