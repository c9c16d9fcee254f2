"""A layout engine with optional line breaks, and the comments and blank lines of a text, consumed in order.

The layout follows P. Wadler, "A prettier printer" (2003), extended by comments, which stay at the ends of lines.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from typing import TypeAlias, assert_never

from fictdsl.syntax.grammar import TRANSPARENT, Comment, Lexeme, comments, lexemes

WIDTH = 100
ROW_INDENT = 4  # of the rows of `Rows` after the first


@dataclass(frozen=True, slots=True)
class Line:
    """An optional line break: `flat` if the enclosing group is on one line, else a newline."""

    flat: str = " "


@dataclass(frozen=True, slots=True)
class Break:
    blank: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A comment. It is moved to the end of its line and does not count towards the width."""

    text: str


@dataclass(frozen=True, slots=True)
class Join:
    """A concatenation, created by `join`. It is `forced` if it needs several lines."""

    parts: tuple[Doc, ...]
    forced: bool
    ends_in_comment: bool


@dataclass(frozen=True, slots=True)
class Group:
    """A document on one line if it fits, else with all its own optional breaks taken."""

    inner: Doc


@dataclass(frozen=True, slots=True)
class Indent:
    inner: Doc
    by: int = 2


@dataclass(frozen=True, slots=True)
class Rows:
    """A choice of layouts: `tight` if each of `rows` fits on a line, all but the first indented, else `loose`."""

    rows: tuple[Doc, ...]
    tight: Doc
    loose: Doc


Doc: TypeAlias = str | Line | Break | Note | Join | Group | Indent | Rows
FILL = Group(Line())  # a break taken only if the next part does not fit


def join(*parts: Doc) -> Join:
    is_forced = ends_in_comment = False
    nonempty = tuple(part for part in parts if part != "" and not (isinstance(part, Join) and not part.parts))
    for part in nonempty:
        # After a comment, only text, such as a comma or a closing bracket, may follow on its line.
        is_forced = is_forced or forced(part) or (ends_in_comment and not isinstance(part, str))
        ends_in_comment = ends_with_comment(part) or (ends_in_comment and isinstance(part, str))
    return Join(nonempty, is_forced, ends_in_comment)


def forced(doc: Doc) -> bool:
    match doc:
        case Break() | Rows():
            return True
        case Join():
            return doc.forced
        case Group(inner) | Indent(inner):
            return forced(inner)
        case _:
            return False


def ends_with_comment(doc: Doc) -> bool:
    match doc:
        case Note():
            return True
        case Join():
            return doc.ends_in_comment
        case Group(inner) | Indent(inner) | Rows(loose=inner):
            return ends_with_comment(inner)
        case _:
            return False


def render(doc: Doc) -> str:
    renderer = _Renderer([(0, False, doc)])
    while renderer.stack:
        renderer.step(*renderer.stack.pop())
    renderer.end_line()
    return "\n".join(renderer.lines)


@dataclass(slots=True)
class _Renderer:
    """The state of rendering: a stack of (indentation, whether on one line, document), and the lines written."""

    stack: list[tuple[int, bool, Doc]]
    lines: list[str] = field(default_factory=list)
    line: str = ""
    indent: int = 0
    notes: list[str] = field(default_factory=list)

    def step(self, indent: int, one_line: bool, doc: Doc) -> None:
        match doc:
            case str():
                self.line += doc
            case Line() if one_line and not self.notes:
                self.line += doc.flat
            case Line() | Break():
                self.end_line()
                if doc == Break(blank=True) and self.lines and self.lines[-1]:
                    self.lines.append("")
                self.indent = indent
            case Note(text):
                self.notes.append(text)
            case Join(parts):
                self.stack += [(indent, one_line, part) for part in reversed(parts)]
            case Group(inner):
                self.stack.append((indent, one_line or self._fits(inner), inner))
            case Indent(inner, by):
                self.stack.append((indent + by, one_line, inner))
            case Rows(rows, tight, loose):
                margins = [indent, *([indent + ROW_INDENT] * (len(rows) - 1))]
                pairs = zip(rows, margins, strict=True)
                all_fit = all(not forced(row) and margin + len(flat(row)) <= WIDTH for row, margin in pairs)
                self.stack.append((indent, one_line, tight if all_fit else loose))
            case _:
                assert_never(doc)

    def end_line(self) -> None:
        """End the line with its first comment. Further comments go on lines of their own."""
        margin = " " * self.indent
        written = [margin + self.line.rstrip(" ")] if self.line else []
        if written and self.notes:
            written[0] += f"  {self.notes.pop(0)}"
        self.lines += [*written, *(margin + note for note in self.notes)]
        self.line, self.notes = "", []

    def _fits(self, doc: Doc) -> bool:
        """Return whether a document fits on this line, with what follows up to the next possible break."""
        remaining_columns = WIDTH - self.indent - len(self.line)
        parts: list[tuple[bool, Doc]] = [(True, doc)]
        next_item = len(self.stack)
        while remaining_columns >= 0 and not forced(doc):
            if not parts:
                if next_item == 0:
                    return True
                next_item -= 1
                parts.append(self.stack[next_item][1:])
            one_line, part = parts.pop()
            match part:
                case str():
                    remaining_columns -= len(part)
                case Line():
                    if not one_line:
                        return True
                    remaining_columns -= len(part.flat)
                case Break() | Rows():
                    return True
                case Join(inner):
                    parts += [(one_line, item) for item in reversed(inner)]
                case Group(content) | Indent(content):
                    parts.append((one_line, content))
                case Note():
                    pass
        return False


def flat(doc: Doc) -> str:
    match doc:
        case str():
            return doc
        case Line(text):
            return text
        case Join(parts):
            return "".join(map(flat, parts))
        case Group(inner) | Indent(inner):
            return flat(inner)
        case _:
            return ""


class Trivia:
    """The comments of a text that are not written yet, and the positions of its lexemes.

    A formatter goes through the text from start to end and consumes each comment once; `texts` has what remains. Blank
    lines before a position must be asked for before the comments there are consumed. After the comment at the end of a
    line is consumed, a directive there no longer pins the line.
    """

    def __init__(self, text: str = "") -> None:
        self._text = text
        self._lexemes: list[Lexeme] = list(lexemes(text))
        self._starts = [lexeme.span.start for lexeme in self._lexemes]
        self._remaining = deque(comments(text, self._lexemes))
        self._line_has_note = False  # whether the current line ends with a consumed comment

    @property
    def texts(self) -> list[str]:
        return [comment.text for comment in self._remaining]

    @property
    def end(self) -> int:
        return len(self._text)

    # --- comments

    def leading_comments(self, start: int) -> Doc:
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
        if self._remaining and self._remaining[0].follows(end):
            self._line_has_note = True
            return Note(self._remaining.popleft().text)
        return ""

    def remaining_comments(self, end: int) -> Doc:
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
        for index in range(self._index(start), len(self._lexemes)):
            if self._lexemes[index].text == text:
                return self._lexemes[index].span.end
        return start

    def previous_start(self, start: int, skip: str = "") -> int:
        index = self._index(start) - 1
        while index > 0 and self._lexemes[index].text == skip:
            index -= 1
        return self._starts[index] if index >= 0 else start

    def _index(self, start: int) -> int:
        return bisect_left(self._starts, start)
