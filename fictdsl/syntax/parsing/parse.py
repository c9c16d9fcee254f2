"""Parse the text of a `.fict` file to a syntax tree, reporting all syntax errors as diagnostics."""

from __future__ import annotations

from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.source import Source, Span
from fictdsl.syntax.nodes import File
from fictdsl.syntax.text.characters import blank_forbidden, forbidden_character_diagnostics
from fictdsl.syntax.vocabulary import VERSION


def parse(source: Source) -> tuple[File | None, list[Diagnostic]]:
    """Parse a whole file. Never raises.

    The file is None only if it has an unsupported version. It contains only the items without errors.
    """
    problems = forbidden_character_diagnostics(source)
    text = blank_forbidden(source.text) if problems else source.text
    if text.startswith("\ufeff"):
        text = " " + text[1:]
    file, syntax_problems = _parse(source, text)
    if file is not None and problems:
        spans = [problem.span for problem in problems if problem.span]
        file = _without_items_at(file, spans)
    return file, sorted(problems + syntax_problems, key=_start)


def _parse(source: Source, text: str) -> tuple[File | None, list[Diagnostic]]:
    from fictdsl.syntax.grammar.build import build
    from fictdsl.syntax.grammar.nesting import nesting_problem
    from fictdsl.syntax.grammar.try_parse import Stop, parse_tree, try_parse

    extent = Span(0, len(text))
    tree = parse_tree(text, extent, "file")
    if tree is not None and nesting_problem(tree, source) is None:
        built, problems = build(tree, source)
        file: File = built
        if file.version == VERSION:
            error_spans = [problem.span for problem in problems if problem.span and problem.severity is Severity.ERROR]
            return _without_items_at(file, error_spans), problems
    # Imported lazily: most files have no syntax errors.
    from fictdsl.syntax.mistakes.mistakes import explain
    from fictdsl.syntax.parsing.recover import check_header, recover

    start, problems, is_supported = check_header(source, text)
    if not is_supported:
        return None, problems
    items, item_problems = recover(source, text, start)
    if tree is None and not problems and not item_problems:
        # Every item parses, but the file does not: report where the whole parse stopped.
        stop = try_parse(text, extent, "file")
        assert isinstance(stop, Stop)
        item_problems = [explain(source, text, extent, stop).diagnostic]
    return File(VERSION, tuple(items), extent), problems + item_problems


def _without_items_at(file: File, spans: list[Span]) -> File:
    """Return the file without the items that contain the start of one of the spans."""
    items = tuple(
        item for item in file.items if not any(item.span.start <= span.start < item.span.end for span in spans)
    )
    return File(file.version, items, file.span)


def _start(problem: Diagnostic) -> int:
    return problem.span.start if problem.span else 0
