"""A text with choices of where its lines break into lines that fit the width; comments stay at the ends of lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

WIDTH = 100


@dataclass(frozen=True, slots=True)
class Line:
    """White space: `flat` where the group around it stands on one line, else the end of a line."""

    flat: str = " "


@dataclass(frozen=True, slots=True)
class Break:
    """The end of a line, and perhaps an empty line."""

    blank: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A comment. It stands at the end of the line, whatever else still comes on it, and takes no width."""

    text: str


@dataclass(frozen=True, slots=True)
class Join:
    """Parts one after the other, made by `join`: whether they need several lines, whether a comment is last."""

    parts: tuple[Doc, ...]
    forced: bool
    noted: bool


@dataclass(frozen=True, slots=True)
class Group:
    """One line if that fits, else all lines of its own break."""

    inner: Doc


@dataclass(frozen=True, slots=True)
class Indent:
    """Lines that begin inside it are indented."""

    inner: Doc
    by: int = 2


@dataclass(frozen=True, slots=True)
class Rows:
    """`tight` if each of `rows`, indented by four, fits on a line of its own; else `loose`."""

    rows: tuple[Doc, ...]
    tight: Doc
    loose: Doc


Doc: TypeAlias = str | Line | Break | Note | Join | Group | Indent | Rows
FILL = Group(Line())  # breaks only where the next part does not fit


def join(*parts: Doc) -> Join:
    """Parts one after the other."""
    needs_lines = ends = False
    kept = tuple(part for part in parts if part != "" and not (isinstance(part, Join) and not part.parts))
    for part in kept:
        # After a comment only closing signs may follow on its line.
        needs_lines = needs_lines or forced(part) or (ends and not isinstance(part, str))
        ends = noted(part) or (ends and isinstance(part, str))
    return Join(kept, needs_lines, ends)


def forced(doc: Doc) -> bool:
    """Whether a document needs several lines, however wide they are."""
    match doc:
        case Break() | Rows():
            return True
        case Join():
            return doc.forced
        case Group(inner) | Indent(inner):
            return forced(inner)
        case _:
            return False


def noted(doc: Doc) -> bool:
    """Whether a document ends with a comment."""
    match doc:
        case Note():
            return True
        case Join():
            return doc.noted
        case Group(inner) | Indent(inner) | Rows(loose=inner):
            return noted(inner)
        case _:
            return False


def render(doc: Doc) -> str:
    """The text of a document, without a newline at its end."""
    page = _Page([(0, False, doc)])
    while page.waiting:
        page.step(*page.waiting.pop())
    page.end_line()
    return "\n".join(page.lines)


@dataclass(slots=True)
class _Page:
    """What waits to be written (indentation, whether flat, document), the lines done, and the line begun."""

    waiting: list[tuple[int, bool, Doc]]
    lines: list[str] = field(default_factory=list)
    line: str = ""
    indent: int = 0
    notes: list[str] = field(default_factory=list)

    def step(self, indent: int, one_line: bool, doc: Doc) -> None:
        """Write a document, or let its parts wait."""
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
                self.waiting += [(indent, one_line, part) for part in reversed(parts)]
            case Group(inner):
                self.waiting.append((indent, one_line or self._fits(inner), inner))
            case Indent(inner, by):
                self.waiting.append((indent + by, one_line, inner))
            case Rows(rows, tight, loose):
                fit = all(not forced(row) and len(flat(row)) <= WIDTH - indent - 4 for row in rows)
                self.waiting.append((indent, one_line, tight if fit else loose))
            case _:
                assert_never(doc)

    def end_line(self) -> None:
        """End the line with its comment. Should there be more of them, each gets a line of its own."""
        margin = " " * self.indent
        written = [margin + self.line.rstrip(" ")] if self.line else []
        if written and self.notes:
            written[0] += f"  {self.notes.pop(0)}"
        self.lines += [*written, *(margin + note for note in self.notes)]
        self.line, self.notes = "", []

    def _fits(self, doc: Doc) -> bool:
        """Whether a document fits on this line, with all that follows up to the next place where a line may end."""
        room = WIDTH - self.indent - len(self.line)
        parts: list[tuple[bool, Doc]] = [(True, doc)]
        after = len(self.waiting)
        while room >= 0 and not forced(doc):
            if not parts:
                if after == 0:
                    return True
                after -= 1
                parts.append(self.waiting[after][1:])
            one_line, part = parts.pop()
            match part:
                case str():
                    room -= len(part)
                case Line():
                    if not one_line:
                        return True
                    room -= len(part.flat)
                case Break() | Rows():
                    return True
                case Join(inner):
                    parts += [(one_line, each) for each in reversed(inner)]
                case Group(one) | Indent(one):
                    parts.append((one_line, one))
                case Note():
                    pass
        return False


def flat(doc: Doc) -> str:
    """A document on one line, without its comments."""
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
