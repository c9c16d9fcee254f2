"""Render diagnostics as JUnit XML: a suite for each file, a case for each diagnostic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.diagnostics.junit import Case, Failure, Suite, render_suites
from fictdsl.diagnostics.render_text import render as as_text


def render(diagnostics: Sequence[Diagnostic], file_names: Iterable[str] = (), *, strict: bool = False) -> str:
    """Return an XML document. Errors are failures, and so are warnings if `strict`.

    Other diagnostics are the output of a case that passes. `file_names` are the names of all checked files. A file
    without diagnostics becomes a case that passes.
    """
    by_file: dict[str, list[Case]] = {name: [] for name in file_names}
    for diagnostic in diagnostics:
        name = diagnostic.source.name if diagnostic.source else "fictc"
        by_file.setdefault(name, []).append(_case(diagnostic, strict))
    return render_suites([Suite(name, tuple(cases) or (Case("lint"),)) for name, cases in by_file.items()])


def _case(diagnostic: Diagnostic, strict: bool) -> Case:
    name = f"{diagnostic.code} {CATALOGUE[diagnostic.code].name}"
    if diagnostic.source is not None and diagnostic.span is not None:
        line, column = diagnostic.source.position(diagnostic.span.start)
        name += f" at {line}:{column}"
    text = as_text([diagnostic], use_colours=False)
    if diagnostic.severity is Severity.ERROR or (strict and diagnostic.severity is Severity.WARNING):
        return Case(name, (Failure(diagnostic.severity.value, diagnostic.message, text),))
    return Case(name, output=text)
