"""Format `.fict` text, keeping comments, and verify that the result is equivalent."""

from __future__ import annotations

from dataclasses import dataclass

from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.source import Source
from fictdsl.syntax.nodes import File
from fictdsl.syntax.parsing.parse import parse
from fictdsl.syntax.printing.printer import print_file
from fictdsl.syntax.printing.trivia import Trivia

_MAX_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Formatted:
    """A formatted text, or None if there are syntax errors, and the diagnostics of the original text."""

    text: str | None
    diagnostics: tuple[Diagnostic, ...]


class FormatError(Exception):
    """The formatted text differs from the original in more than layout: a bug. The file must not be written."""


def format_text(text: str, name: str = "<text>") -> Formatted:
    """Format a text. The result is in NFC, has the line ending of the first line and no byte order mark.

    Raises FormatError if the result has a different syntax tree or other comments, or is not stable under formatting.
    """
    source = Source.of(text.removeprefix("\ufeff"), name)
    file, problems = parse(source)
    if file is None or any(problem.severity is Severity.ERROR for problem in problems):
        return Formatted(None, tuple(problems))
    formatted = _format_verified(file, source)
    has_crlf = "\r\n" in source.text[: source.text.find("\n") + 1]
    return Formatted(formatted.replace("\n", "\r\n") if has_crlf else formatted, tuple(problems))


def _format_verified(file: File, source: Source) -> str:
    """Format until the result is stable. This takes several rounds only if a clause contains several comments."""
    comments = Trivia(source.text).texts
    formatted = print_file(file, Trivia(source.text))
    for _ in range(_MAX_ROUNDS):
        reparsed, problems = parse(Source.of(formatted, source.name))
        if reparsed is None or reparsed != file or any(problem.severity is Severity.ERROR for problem in problems):
            raise FormatError(f"the layout of {source.name} has another syntax tree")
        trivia = Trivia(formatted)
        if trivia.texts != comments:
            raise FormatError(f"the layout of {source.name} has other comments")
        previous, formatted = formatted, print_file(reparsed, trivia)
        if formatted == previous:
            return formatted
    raise FormatError(f"the layout of {source.name} is not stable")
