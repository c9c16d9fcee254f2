"""A module into all that is said about it: its errors or, where there are none, what the rules find."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fictdsl.compiler import compile_checked
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.corpus_facts import CorpusFacts
from fictdsl.lint.discover import RULES
from fictdsl.lint.subject import Subject
from fictdsl.lint.suppress import suppress
from fictdsl.semantics.check.analyse import analyse
from fictdsl.source import Span
from fictdsl.syntax.parsing.load import load_file, load_text
from fictdsl.syntax.parsing.program import Module
from fictdsl.syntax.parsing.word_lists import NO_OVERRIDES, ListOverrides
from fictdsl.syntax.text.file_cache import FileCache


def lint_file(
    path: Path, shelf: FileCache | None = None, facts: CorpusFacts | None = None, given: ListOverrides = NO_OVERRIDES
) -> list[Diagnostic]:
    """Everything wrong or odd in a `.fict` file, and the errors of what it uses. Never raises for what it holds.

    Several files that are linted with one `shelf` read once what they share. With `facts`, the rules that ask a
    corpus speak too. The lists `given` replace the declared ones of their names.
    """
    module, problems = load_file(path, shelf, given)
    return _lint(module, problems, facts)


def lint_text(
    text: str,
    name: str = "<text>",
    base: Path | None = None,
    shelf: FileCache | None = None,
    facts: CorpusFacts | None = None,
    given: ListOverrides = NO_OVERRIDES,
) -> list[Diagnostic]:
    """The same of a text; `base` is the folder its paths are relative to."""
    module, problems = load_text(text, name, base, shelf, given)
    return _lint(module, problems, facts)


def lint_module(module: Module, facts: CorpusFacts | None = None) -> list[Diagnostic]:
    """The same of a module that was loaded without errors: mistakes in names, types and limits, then FICT5xx.

    The files it uses are checked for mistakes, not linted.
    """
    subject, problems = subject_of(module, facts)
    if subject is None:
        return problems
    rules = [rule for rule in RULES if facts is not None or not rule.asks_corpus]
    found = [problem for rule in rules for problem in rule.check(subject)]
    kept = suppress(found, module, {rule.code for rule in rules})
    return [*problems, *sorted(kept, key=lambda problem: (problem.span or Span(0, 0), problem.code))]


def subject_of(module: Module, facts: CorpusFacts | None = None) -> tuple[Subject | None, list[Diagnostic]]:
    """What the rules are given, with the warnings of checking it; None with the errors if there are any."""
    resolution, problems = analyse(module)
    if has_errors(problems):
        return None, problems
    compilation = compile_checked(module, problems)
    found = list(compilation.diagnostics)
    return (None if compilation.errors else Subject(module, resolution, compilation.filters, facts)), found


def has_errors(found: Iterable[Diagnostic]) -> bool:
    """Whether something was found that keeps rules from being asked."""
    return any(problem.severity is Severity.ERROR for problem in found)


def _lint(module: Module | None, problems: list[Diagnostic], facts: CorpusFacts | None) -> list[Diagnostic]:
    if module is None or has_errors(problems):
        return problems
    return [*problems, *lint_module(module, facts)]
