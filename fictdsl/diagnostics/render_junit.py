"""Diagnostics into JUnit XML: a suite for each file, a case for each problem in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.diagnostics.junit import Case, Failure, Suite, render_suites
from fictdsl.diagnostics.render_text import render as as_text


def render(diagnostics: Sequence[Diagnostic], files: Iterable[str] = (), *, strict: bool = False) -> str:
    """An XML document. Errors are failures, and warnings too if `strict`; what is none is the output of a case.

    `files` names what was looked at, so that a file without problems is there as a case that passes.
    """
    found: dict[str, list[Case]] = {name: [] for name in files}
    for diagnostic in diagnostics:
        name = diagnostic.source.name if diagnostic.source else "fictc"
        found.setdefault(name, []).append(_case(diagnostic, strict))
    return render_suites([Suite(name, tuple(cases) or (Case("lint"),)) for name, cases in found.items()])


def _case(diagnostic: Diagnostic, strict: bool) -> Case:
    name = f"{diagnostic.code} {CATALOGUE[diagnostic.code].name}"
    if diagnostic.source is not None and diagnostic.span is not None:
        line, column = diagnostic.source.position(diagnostic.span.start)
        name += f" at {line}:{column}"
    text = as_text([diagnostic], color=False)
    if diagnostic.severity is Severity.ERROR or (strict and diagnostic.severity is Severity.WARNING):
        return Case(name, (Failure(diagnostic.severity.value, diagnostic.message, text),))
    return Case(name, output=text)
