"""A text into its comments, each with what it follows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fictdsl.source import Span
from fictdsl.syntax.text.scan import Bit, bits

_COMMENT = re.compile(r"#[^\n]*")
_FICT = re.compile(r"#\s*fict:")

# A comment after one of these belongs to the word before it.
LIGHT = frozenset({",", ";", "(", ")", "or"})


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment without the spaces at its end; `after` is where the word or sign that it follows ends."""

    text: str
    start: int
    own_line: bool
    after: int

    @property
    def span(self) -> Span:
        """Where it stands."""
        return Span(self.start, self.start + len(self.text))

    @property
    def silences(self) -> bool:
        """Whether it says something to fictc: `# fict: ignore[…]`."""
        return _FICT.match(self.text) is not None

    def follows(self, end: int) -> bool:
        """Whether it stands on the line of what ends at `end`, with nothing of weight between."""
        return not self.own_line and self.after <= end


def comments(text: str, scanned: Sequence[Bit] | None = None) -> list[Comment]:
    """The comments of a text: they lie between its bits, `scanned` if they are known."""
    found, end, after = [], 0, 0
    for bit in (*(bits(text) if scanned is None else scanned), None):
        for match in _COMMENT.finditer(text, end, bit.span.start if bit else len(text)):
            own_line = "\n" in text[end : match.start()] or end == 0
            found.append(Comment(match[0].rstrip(), match.start(), own_line, after))
            end = match.end()
        if bit:
            end = bit.span.end
            after = after if bit.text in LIGHT else end
    return found
