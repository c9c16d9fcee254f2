"""Lint a module: report its errors or, if it has none, the findings of the lint rules."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fictdsl.compiler import compile_checked
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.context import LintContext
from fictdsl.lint.corpus_facts import CorpusFacts
from fictdsl.lint.discover import RULES
from fictdsl.lint.suppress import suppress
from fictdsl.semantics.check.analyse import analyse
from fictdsl.source import Span
from fictdsl.syntax.parsing.load import load_file, load_text
from fictdsl.syntax.parsing.program import Module
from fictdsl.syntax.parsing.word_lists import NO_OVERRIDES, ListOverrides
from fictdsl.syntax.text.file_cache import FileCache


def lint_file(
    path: Path,
    file_cache: FileCache | None = None,
    facts: CorpusFacts | None = None,
    overrides: ListOverrides = NO_OVERRIDES,
) -> list[Diagnostic]:
    """Return the errors and lint findings of a `.fict` file, and the errors of the files it uses.

    Never raises because of the file's content. Calls with the same `file_cache` read each used file only once.
    With `facts`, the rules that need a corpus also run. `overrides` replace declared lists of the same name.
    """
    module, problems = load_file(path, file_cache, overrides)
    return _lint(module, problems, facts)


def lint_text(
    text: str,
    name: str = "<text>",
    base: Path | None = None,
    file_cache: FileCache | None = None,
    facts: CorpusFacts | None = None,
    overrides: ListOverrides = NO_OVERRIDES,
) -> list[Diagnostic]:
    """Lint a text as `lint_file` does; its paths are relative to the folder `base`."""
    module, problems = load_text(text, name, base, file_cache, overrides)
    return _lint(module, problems, facts)


def lint_module(module: Module, facts: CorpusFacts | None = None) -> list[Diagnostic]:
    """Lint a module that was loaded without errors.

    Returns the diagnostics of analysis and compilation (FICT2xx to FICT4xx), then the findings of the lint rules
    (FICT5xx). The files that the module uses are checked for errors, not linted.
    """
    context, problems = lint_context(module, facts)
    if context is None:
        return problems
    rules = [rule for rule in RULES if facts is not None or not rule.needs_corpus]
    findings = [finding for rule in rules for finding in rule.check(context)]
    reported = suppress(findings, module, {rule.code for rule in rules})
    return [*problems, *sorted(reported, key=lambda finding: (finding.span or Span(0, 0), finding.code))]


def lint_context(module: Module, facts: CorpusFacts | None = None) -> tuple[LintContext | None, list[Diagnostic]]:
    """Analyse and compile a module. Return the input of the lint rules, or None after errors, and the diagnostics."""
    resolution, problems = analyse(module)
    if has_errors(problems):
        return None, problems
    compilation = compile_checked(resolution, problems)
    context = None if compilation.errors else LintContext(module, resolution, compilation.filters, facts)
    return context, list(compilation.diagnostics)


def has_errors(problems: Iterable[Diagnostic]) -> bool:
    """Return whether any diagnostic is an error."""
    return any(problem.severity is Severity.ERROR for problem in problems)


def _lint(module: Module | None, problems: list[Diagnostic], facts: CorpusFacts | None) -> list[Diagnostic]:
    if module is None or has_errors(problems):
        return problems
    return [*problems, *lint_module(module, facts)]
