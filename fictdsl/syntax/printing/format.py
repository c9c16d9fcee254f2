"""The text of a `.fict` file into its canonical layout, comments kept; checked each time to be the same file."""

from __future__ import annotations

from dataclasses import dataclass

from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.source import Source
from fictdsl.syntax.nodes import File
from fictdsl.syntax.parsing.parse import parse
from fictdsl.syntax.printing.printer import print_file
from fictdsl.syntax.printing.trivia import Margin

_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Formatted:
    """A text in its canonical layout; None where syntax errors keep it from being read. `diagnostics` say which."""

    text: str | None
    diagnostics: tuple[Diagnostic, ...]


class FormatError(Exception):
    """A bug: the layout made something else of a file. Whoever formats must leave the file alone."""


def format_text(text: str, name: str = "<text>") -> Formatted:
    """The canonical layout of a text, with its own kind of line ends; without a byte order mark, in NFC.

    Raises FormatError if the result is not the same tree with the same comments, or not its own canonical layout.
    """
    source = Source.of(text.removeprefix("\ufeff"), name)
    file, problems = parse(source)
    if file is None or any(problem.severity is Severity.ERROR for problem in problems):
        return Formatted(None, tuple(problems))
    result = _settled(file, source)
    crlf = "\r\n" in source.text[: source.text.find("\n") + 1]
    return Formatted(result.replace("\n", "\r\n") if crlf else result, tuple(problems))


def _settled(file: File, source: Source) -> str:
    """The layout that is its own layout: the first one, but for comments heaped up in one clause."""
    comments = Margin(source.text).texts
    result = print_file(file, Margin(source.text))
    for _ in range(_ROUNDS):
        again, problems = parse(Source.of(result, source.name))
        if again is None or again != file or any(problem.severity is Severity.ERROR for problem in problems):
            raise FormatError(f"the layout of {source.name} is another file")
        margin = Margin(result)
        if margin.texts != comments:
            raise FormatError(f"the layout of {source.name} has other comments")
        before, result = result, print_file(again, margin)
        if result == before:
            return result
    raise FormatError(f"the layout of {source.name} has another layout")
