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
        self._noted = False  # whether the line ends with a comment that was taken

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

    def above(self, start: int) -> Doc:
        """What stands on lines of its own above `start`."""
        return self.around(start, start)[0]

    def around(self, start: int, end: int) -> tuple[Doc, Doc]:
        """What stands above and beside the words from `start` to `end`, on lines of its own and at the end of theirs.

        Of several comments at the ends of these words' lines one goes beside them all: the last, or the last that
        silences a lint. Those before it go above, those after it are left for what follows.
        """
        above: list[Doc] = []
        empty = False  # whether an empty line stands before what comes next; that before the first is not ours
        for comment in self._take(start):
            above += [*([Break(self._empty_line(comment.start))] if above else []), Note(comment.text)]
            empty = self._empty_line(start)
        inside = self._take(end)
        if self._left and self._follows(self._left[0], end):
            inside.append(self._left.popleft())
        place = max(((_silences(c), i) for i, c in enumerate(inside) if not c.own_line), default=(False, len(inside)))[
            1
        ]
        for comment in inside[:place]:
            above += [*([Break(empty)] if above else []), Note(comment.text)]
            empty = False
        self._left.extendleft(replace(comment, own_line=True) for comment in reversed(inside[place + 1 :]))
        beside = Note(inside[place].text) if place < len(inside) else ""
        self._noted = beside != ""
        return join(*above, Break(empty)) if above else "", beside

    def _take(self, end: int) -> list[Comment]:
        taken = []
        while self._left and self._left[0].start < end:
            taken.append(self._left.popleft())
        return taken

    def _follows(self, comment: Comment, end: int) -> bool:
        return not comment.own_line and comment.after <= end

    def beside(self, end: int) -> Doc:
        """The comment that follows what ends at `end`, on the same line."""
        if self._left and self._follows(self._left[0], end):
            self._noted = True
            return Note(self._left.popleft().text)
        return ""

    def below(self, end: int) -> Doc:
        """The comments that are left before `end`, each on a new line."""
        return join(*(d for c in self._take(end) for d in (Break(self._empty_line(c.start)), Note(c.text))))

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
        at = self._index(start) - 1
        while at >= 0 and self._bits[at].text in _LIGHT:
            at -= 1
        if at < 0 or "\n" in self._text[self._bits[at].span.end : start]:
            return False
        return not self._noted and self._text.find("\n", start) in self._ignored

    @cached_property
    def _ignored(self) -> frozenset[int]:
        """The ends of the lines on which a comment silences something."""
        found = (c for c in self._comments() if not c.own_line and _silences(c))
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

    def before(self, start: int, but: str = "") -> int:
        """Where the word before the one at `start` begins, those that are `but` passed over; `start` without any."""
        at = self._index(start) - 1
        while at > 0 and self._bits[at].text == but:
            at -= 1
        return self._starts[at] if at >= 0 else start

    def _index(self, start: int) -> int:
        return bisect_left(self._starts, start)


def _silences(comment: Comment) -> bool:
    return _IGNORE.match(comment.text) is not None
