"""The comments of a text, each with its position relative to the lexemes around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fictdsl.source import Span
from fictdsl.syntax.text.scan import Lexeme, lexemes

_COMMENT = re.compile(r"#[^\n]*")
_DIRECTIVE = re.compile(r"#\s*fict:")

# A comment after these lexemes belongs to the last lexeme that is not one of them.
TRANSPARENT = frozenset({",", ";", "(", ")", "or"})


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment without trailing spaces. `previous_end` is the end of the lexeme that it follows."""

    text: str
    start: int
    own_line: bool
    previous_end: int

    @property
    def span(self) -> Span:
        """The span of the comment."""
        return Span(self.start, self.start + len(self.text))

    @property
    def is_directive(self) -> bool:
        """Whether the comment is a directive such as `# fict: ignore[…]`."""
        return _DIRECTIVE.match(self.text) is not None

    def follows(self, end: int) -> bool:
        """Return whether the comment is at a line end and belongs to a lexeme that ends at `end` or before it."""
        return not self.own_line and self.previous_end <= end


def comments(text: str, scanned_lexemes: Sequence[Lexeme] | None = None) -> list[Comment]:
    """Return the comments of a text. `scanned_lexemes` are its lexemes, if already computed."""
    result, end, previous_end = [], 0, 0
    for lexeme in (*(lexemes(text) if scanned_lexemes is None else scanned_lexemes), None):
        for match in _COMMENT.finditer(text, end, lexeme.span.start if lexeme else len(text)):
            own_line = "\n" in text[end : match.start()] or end == 0
            result.append(Comment(match[0].rstrip(), match.start(), own_line, previous_end))
            end = match.end()
        if lexeme:
            end = lexeme.span.end
            previous_end = previous_end if lexeme.text in TRANSPARENT else end
    return result
