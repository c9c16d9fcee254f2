"""A text into its comments and empty lines, handed out in order to whoever prints what stands beside them."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from dataclasses import replace
from functools import cached_property
from itertools import takewhile

from fictdsl.syntax.printing.comments import LIGHT, Comment, comments
from fictdsl.syntax.printing.document import Break, Doc, Line, Note, join
from fictdsl.syntax.text.scan import Bit, bits


class Margin:
    """What a text holds beside its words: each comment is taken once, in order. That of no text is empty."""

    def __init__(self, text: str = "") -> None:
        self._text = text
        self._bits: list[Bit] = list(bits(text))
        self._starts = [bit.span.start for bit in self._bits]
        self._left = deque(comments(text, self._bits))
        self._noted = False  # whether the line ends with a comment that was taken

    @property
    def texts(self) -> list[str]:
        """The comments that have not been taken."""
        return [comment.text for comment in self._left]

    @property
    def end(self) -> int:
        """The end of the text."""
        return len(self._text)

    # --- comments

    def above(self, start: int) -> Doc:
        """What stands on lines of its own above `start`."""
        return self.around(start, start)[0]

    def around(self, start: int, end: int) -> tuple[Doc, Doc]:
        """What stands above and beside the words from `start` to `end`, on lines of its own and at the end of theirs.

        Of several comments at the ends of these words' lines one goes beside them all: the last, or the last that
        silences a lint. Those before it go above, those after it are left for what follows.
        """
        above = self._take(start)
        gaps = [self._empty_line(at) for at in (*(comment.start for comment in above), start)]
        inside = self._take(end)
        if self._left and self._left[0].follows(end):
            inside.append(self._left.popleft())
        ends = [index for index, comment in enumerate(inside) if not comment.own_line]
        place = max(ends, key=lambda index: (inside[index].silences, index), default=len(inside))
        self._left.extendleft(replace(comment, own_line=True) for comment in reversed(inside[place + 1 :]))
        self._noted = place < len(inside)
        lines: list[Doc] = []
        # The empty line before the first is for whoever prints what stands before it; among the words there is none.
        for comment, gap in zip([*above, *inside[:place]], [*gaps[1:], *[False] * place], strict=False):
            lines += [Note(comment.text), Break(gap)]
        return join(*lines) if lines else "", Note(inside[place].text) if self._noted else ""

    def _take(self, end: int) -> list[Comment]:
        taken = []
        while self._left and self._left[0].start < end:
            taken.append(self._left.popleft())
        return taken

    def beside(self, end: int) -> Doc:
        """The comment that follows what ends at `end`, on the same line."""
        if self._left and self._left[0].follows(end):
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
        while at >= 0 and self._bits[at].text in LIGHT:
            at -= 1
        if at < 0 or "\n" in self._text[self._bits[at].span.end : start]:
            return False
        return not self._noted and self._text.find("\n", start) in self._ignored

    @cached_property
    def _ignored(self) -> frozenset[int]:
        """The ends of the lines on which a comment silences something."""
        found = (c for c in comments(self._text, self._bits) if c.silences and not c.own_line)
        return frozenset(self._text.find("\n", comment.start) for comment in found)

    def _empty_line(self, start: int) -> bool:
        start = end = min(start, len(self._text))
        while start and self._text[start - 1].isspace():
            start -= 1
        return self._text.count("\n", start, end) > 1

    # --- words

    def after(self, sign: str, start: int) -> int:
        """Where the first such word or sign at or after `start` ends; `start` if there is none."""
        for at in range(self._index(start), len(self._bits)):
            if self._bits[at].text == sign:
                return self._bits[at].span.end
        return start

    def before(self, start: int, but: str = "") -> int:
        """Where the word before the one at `start` begins, those that are `but` passed over; `start` without any."""
        at = self._index(start) - 1
        while at > 0 and self._bits[at].text == but:
            at -= 1
        return self._starts[at] if at >= 0 else start

    def _index(self, start: int) -> int:
        return bisect_left(self._starts, start)
