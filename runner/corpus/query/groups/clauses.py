"""Add clauses to the `match` block of a filter."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fictdsl.compiler import recompile
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.source import Source
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.parse import parse
from runner.errors import InputError

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter


def with_clauses(compiled: CompiledFilter, clauses: str) -> CompiledFilter:
    """Return a filter with `clauses`, a text in braces, added to its `match` block.

    The clauses can use the names, lists and patterns of the filter.

    Raises InputError (FICT794) if they have syntax errors, or if the extended filter does not compile.
    """
    file, problems = parse(Source("--by", f"fict 1\nfilter by {{ match\n{clauses}\n}}"))
    errors = [problem for problem in problems if problem.severity.value == "error"]
    if not errors and file is not None and isinstance(file.items[0], nodes.FilterDef):
        old_match, addition = compiled.definition.match, file.items[0].match
        match = nodes.Block((*old_match.clauses, *addition.clauses), old_match.span)
        compilation = recompile(compiled, replace(compiled.definition, match=match))
        if compilation.filters:
            return compilation.filters[0]
        errors = list(compilation.errors)
    first = errors[0]
    raise InputError(diagnostic("FICT794", key=clauses, reason=first.message, hint=first.hint, filter=compiled.name))
