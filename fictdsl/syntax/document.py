"""A layout engine: documents with optional line breaks, rendered within a line width.

It follows P. Wadler, "A prettier printer" (2003), extended by comments, which stay at the ends of lines.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

WIDTH = 100


@dataclass(frozen=True, slots=True)
class Line:
    """An optional line break: `flat` if the enclosing group is on one line, else a newline."""

    flat: str = " "


@dataclass(frozen=True, slots=True)
class Break:
    """A forced line break, optionally followed by a blank line."""

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
    """A document in which new lines are indented by `by` more spaces."""

    inner: Doc
    by: int = 2


@dataclass(frozen=True, slots=True)
class Rows:
    """A choice of layouts: `tight` if each of `rows` fits on a line, indented by four, else `loose`."""

    rows: tuple[Doc, ...]
    tight: Doc
    loose: Doc


Doc: TypeAlias = str | Line | Break | Note | Join | Group | Indent | Rows
FILL = Group(Line())  # a break taken only if the next part does not fit


def join(*parts: Doc) -> Join:
    """Concatenate parts, dropping empty ones."""
    is_forced = ends_in_comment = False
    nonempty = tuple(part for part in parts if part != "" and not (isinstance(part, Join) and not part.parts))
    for part in nonempty:
        # After a comment, only text, such as a comma or a closing bracket, may follow on its line.
        is_forced = is_forced or forced(part) or (ends_in_comment and not isinstance(part, str))
        ends_in_comment = ends_with_comment(part) or (ends_in_comment and isinstance(part, str))
    return Join(nonempty, is_forced, ends_in_comment)


def forced(doc: Doc) -> bool:
    """Return whether a document needs several lines at any width."""
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
    """Return a document as text, without a final newline."""
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
        """Write a document, or push its parts on the stack."""
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
                all_fit = all(not forced(row) and len(flat(row)) <= WIDTH - indent - 4 for row in rows)
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
    """Return a document on one line, without comments. The document must not be `forced`."""
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
