"""Add clauses to the `match` block of a filter."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fictdsl.compiler import recompile
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.source import Source
from fictdsl.syntax import nodes
from fictdsl.syntax.parse import parse
from runner.errors import InputError

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter


def with_clauses(compiled: CompiledFilter, clauses: str) -> CompiledFilter:
    """Return a filter with `clauses`, a text in braces, added to its `match` block.

    The clauses can use the names, lists and patterns of the filter.

    Raises InputError (FICT794) if they have syntax errors, if the text contains more than one block, or if the extended
    filter does not compile.
    """
    file, problems = parse(Source("--by", f"fict 1\nfilter by {{ match\n{clauses}\n}}"))
    errors = [problem for problem in problems if problem.severity.value == "error"]
    if not errors and file is not None:
        addition = _single_match(file)
        if addition is None:
            reason = "a key consists of the clauses of one block"
            raise InputError(diagnostic("FICT794", key=clauses, reason=reason, hint=None, filter=compiled.name))
        old_match = compiled.definition.match
        match = nodes.Block((*old_match.clauses, *addition.clauses), old_match.span)
        compilation = recompile(compiled, replace(compiled.definition, match=match))
        if compilation.filters:
            return compilation.filters[0]
        errors = list(compilation.errors)
    first = errors[0]
    raise InputError(diagnostic("FICT794", key=clauses, reason=first.message, hint=first.hint, filter=compiled.name))


def _single_match(file: nodes.File) -> nodes.Block | None:
    """Return the `match` block of a file, or None if the file contains anything else."""
    match file.items:
        case (nodes.FilterDef(metadata=(), actions=()) as definition,):
            return definition.match
    return None
