"""Lint a module: run the rules, and select the findings to report by code, prefix of a code, or name of a rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fictdsl.compiler import compile_checked
from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity, has_errors
from fictdsl.diagnostics.suggest import nearest
from fictdsl.lint.rule_context import CorpusFacts, LintContext
from fictdsl.lint.rules import RULES
from fictdsl.semantics.check import analyse
from fictdsl.source import Span
from fictdsl.syntax.files import NO_OVERRIDES, FileCache, ListOverrides
from fictdsl.syntax.load import Module, load_file, load_text

_FAMILIES = ("FICT1", "FICT2", "FICT3", "FICT4")  # the diagnostics of `.fict` files


@cache
def rule_names() -> dict[str, str]:
    return {
        code: entry.name
        for code, entry in CATALOGUE.items()
        if code.startswith("FICT5") or (code.startswith(_FAMILIES) and entry.severity is not Severity.ERROR)
    }


@dataclass(frozen=True, slots=True)
class Selection:
    """The findings to report. They match a selector in `select`, unless it is empty, and no selector in `ignore`."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def includes(self, finding: Diagnostic) -> bool:
        if finding.prevents_compilation:
            return True
        return self.includes_code(finding.code)

    def includes_code(self, code: str) -> bool:
        is_selected = not self.select or any(_matches(selector, code) for selector in self.select)
        return is_selected and not any(_matches(selector, code) for selector in self.ignore)


def first_unknown(selectors: Sequence[str]) -> tuple[str, str | None] | None:
    """Return the first selector that matches no code in `rule_names`, with a hint; None if all match."""
    names = rule_names()
    for selector in selectors:
        if not any(_matches(selector, code) for code in names):
            if selector in CATALOGUE:
                severity = CATALOGUE[selector].severity
                if severity is Severity.ERROR:
                    return selector, "it is an error, and errors are always reported"
                return selector, f"it is a {severity.value} that `fictc lint` does not report"
            suggestion = nearest(selector, (*names, *names.values()))
            return (
                selector,
                f"the nearest one is `{suggestion}`" if suggestion else "for instance `FICT505` or `name-used-once`",
            )
    return None


def _matches(selector: str, code: str) -> bool:
    return rule_names().get(code) == selector or (selector.startswith("FICT") and code.startswith(selector))


def lint_file(
    path: Path,
    file_cache: FileCache | None = None,
    facts: CorpusFacts | None = None,
    overrides: ListOverrides = NO_OVERRIDES,
) -> list[Diagnostic]:
    """Return the errors and findings of a `.fict` file, and the errors of the files it uses. Its content never raises.

    Calls with the same `file_cache` read each used file only once. With `facts`, the rules that need a corpus also run.
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
    """Return the diagnostics of a module without syntax errors (FICT2xx to FICT4xx), then of the lint rules (FICT5xx).

    The files that the module uses are checked for errors, not linted.
    """
    context, problems = lint_context(module, facts)
    if context is None:
        return problems
    rules = [rule for rule in RULES if facts is not None or not rule.needs_corpus]
    findings = [finding for rule in rules for finding in rule.findings(context)]
    if "fict:" in module.source.text:
        from fictdsl.lint.suppress import suppress

        findings = suppress(findings, module, {rule.code for rule in rules})
    return [*problems, *sorted(findings, key=lambda finding: (finding.span or Span(0, 0), finding.code))]


def lint_context(module: Module, facts: CorpusFacts | None = None) -> tuple[LintContext | None, list[Diagnostic]]:
    """Analyse and compile a module. Return the input of the lint rules, or None after errors, and the diagnostics."""
    resolution, problems = analyse(module)
    if has_errors(problems):
        return None, problems
    compilation = compile_checked(resolution, problems)
    context = None if compilation.errors else LintContext(module, resolution, compilation.filters, facts)
    return context, list(compilation.diagnostics)


def _lint(module: Module | None, problems: list[Diagnostic], facts: CorpusFacts | None) -> list[Diagnostic]:
    if module is None or has_errors(problems):
        return problems
    return [*problems, *lint_module(module, facts)]
