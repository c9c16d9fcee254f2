"""Lint the filters of a manifest, with the files they use, before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.engine import lint_module
from fictdsl.schema import Field
from fictdsl.semantics.resolve import reachable
from fictdsl.syntax.load import Module
from runner.corpus.conllu_reader import label_occurs
from runner.counted import counted
from runner.interventions.context import FiltersByKey
from runner.steps.checks.warning import RunWarning

# lint rules about unknown labels, which may still occur in the corpus
_FIELDS = {
    "FICT501": Field.UPOS,
    "FICT502": Field.DEPREL,
}


def lint_filters(
    filters: Mapping[str, FiltersByKey], train: Iterable[Path], problems: list[Diagnostic]
) -> list[RunWarning]:
    """Lint the files of all filters. Append errors to `problems`, and return a warning per file with lint warnings.

    An unknown tag or relation is an error only if no file of `train` has it.
    """
    files = tuple(train)
    warnings = []
    for module in _modules(chain.from_iterable(chain(*by_key.values()) for by_key in filters.values())):
        findings = lint_module(module)
        errors = [finding for finding in findings if finding.severity is Severity.ERROR]
        problems += [error for error in errors if not _label_exists(error, files)]
        count = sum(finding.severity is Severity.WARNING for finding in findings)
        if count:
            text = f"{counted(count, 'warning')}; `fictc lint {module.source.name}` shows them"
            warnings.append(RunWarning("lint", module.source.name, text))
    return warnings


def _modules(filters: Iterable[CompiledFilter]) -> list[Module]:
    """Return the distinct files of filters and the files that they use."""
    by_path = {str(module.path or id(module)): module for compiled in filters for module in reachable(compiled.module)}
    return list(by_path.values())


def _label_exists(error: Diagnostic, files: tuple[Path, ...]) -> bool:
    field = _FIELDS.get(error.code)
    if field is None:
        return False
    label = error.message.split("`")[1]  # the source at the span may be the parameter of a family
    return label_occurs(files, label, field)
