"""The text of a `.fict` file into its syntax tree, with every mistake as a diagnostic."""

from __future__ import annotations

from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.source import Source, Span
from fictdsl.syntax.nodes import File
from fictdsl.syntax.text.characters import blank_forbidden, forbidden
from fictdsl.syntax.vocabulary import VERSION


def parse(source: Source) -> tuple[File | None, list[Diagnostic]]:
    """Parse a whole file. Never raises.

    The file is None only if it is of another version. If some diagnostic is an error, it holds the items in which
    there is none.
    """
    problems = forbidden(source)
    text = blank_forbidden(source.text) if problems else source.text
    if text.startswith("\ufeff"):
        text = " " + text[1:]
    file, found = _parse(source, text)
    if file is not None and problems:
        places = [problem.span for problem in problems if problem.span]
        file = _without(file, places)
    return file, sorted(problems + found, key=_place)


def _parse(source: Source, text: str) -> tuple[File | None, list[Diagnostic]]:
    from fictdsl.syntax.grammar.build import build
    from fictdsl.syntax.grammar.nesting import too_deep
    from fictdsl.syntax.grammar.try_parse import Stop, attempt, parsed

    whole = Span(0, len(text))
    tree = parsed(text, whole, "file")
    if tree is not None and too_deep(tree, source) is None:
        built, problems = build(tree, source)
        file: File = built
        if file.version == VERSION:
            errors = [p.span for p in problems if p.span and p.severity is Severity.ERROR]
            return _without(file, errors), problems
    from fictdsl.syntax.mistakes.mistakes import (
        explain,  # what explains mistakes takes long to import, and most files have none
    )
    from fictdsl.syntax.parsing.recover import header, recover

    start, problems, readable = header(source, text)
    if not readable:
        return None, problems
    items, found = recover(source, text, start)
    if tree is None and not problems and not found:
        # Each item alone is right, yet not the whole: nothing may pass in silence.
        stop = attempt(text, whole, "file")
        assert isinstance(stop, Stop)
        found = [explain(source, text, whole, stop).diagnostic]
    return File(VERSION, tuple(items), whole), problems + found


def _without(file: File, places: list[Span]) -> File:
    """The file without the items that hold one of the places."""
    kept = tuple(item for item in file.items if not any(item.span.start <= at.start < item.span.end for at in places))
    return File(file.version, kept, file.span)


def _place(problem: Diagnostic) -> int:
    return problem.span.start if problem.span else 0
