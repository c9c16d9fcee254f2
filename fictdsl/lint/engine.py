"""A module into all that is said about it: its errors or, where there are none, what the rules find."""

from __future__ import annotations

from pathlib import Path

from fictdsl.compiler import compile_analysed
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.discover import RULES
from fictdsl.lint.subject import Subject
from fictdsl.lint.suppress import suppress
from fictdsl.semantics.analyse import analyse
from fictdsl.source import Span
from fictdsl.syntax.load import load_file, load_text
from fictdsl.syntax.program import Module
from fictdsl.syntax.shelf import Shelf


def lint_file(path: Path, shelf: Shelf | None = None) -> list[Diagnostic]:
    """Everything wrong or odd in a `.fict` file, and the errors of what it uses. Never raises for what it holds.

    Several files that are linted with one `shelf` read once what they share.
    """
    module, problems = load_file(path, shelf)
    return _lint(module, problems)


def lint_text(
    text: str, name: str = "<text>", base: Path | None = None, shelf: Shelf | None = None
) -> list[Diagnostic]:
    """The same of a text; `base` is the folder its paths are relative to."""
    module, problems = load_text(text, name, base, shelf)
    return _lint(module, problems)


def lint_module(module: Module) -> list[Diagnostic]:
    """The same of a module that was loaded without errors: mistakes in names, types and limits, then FICT5xx.

    The files it uses are checked for mistakes, not linted.
    """
    resolution, problems = analyse(module)
    if any(problem.severity is Severity.ERROR for problem in problems):
        return problems
    compilation = compile_analysed(module, problems)
    if compilation.errors:
        return list(compilation.diagnostics)
    subject = Subject(module, resolution, compilation.filters)
    found = [problem for rule in RULES for problem in rule.check(subject)]
    kept = suppress(found, module)
    return [*compilation.diagnostics, *sorted(kept, key=lambda problem: (problem.span or Span(0, 0), problem.code))]


def _lint(module: Module | None, problems: list[Diagnostic]) -> list[Diagnostic]:
    if module is None or any(problem.severity is Severity.ERROR for problem in problems):
        return problems
    return [*problems, *lint_module(module)]
