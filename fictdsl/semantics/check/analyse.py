"""A loaded module into its resolution and every mistake in its names, types and sizes, in the order of the text."""

from __future__ import annotations

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.semantics.check.check import check
from fictdsl.semantics.resolve.resolution import Resolution
from fictdsl.semantics.resolve.resolve import resolve
from fictdsl.syntax.parsing.program import Module


def analyse(module: Module) -> tuple[Resolution, list[Diagnostic]]:
    """Resolve and check a module and those it uses. If there is no error, its filters can be lowered."""
    resolution = resolve(module)
    places = {id(part.source): place for place, part in enumerate(resolution.modules)}
    found = [*resolution.diagnostics, *check(resolution)]
    return resolution, sorted(found, key=lambda problem: _place(problem, places))


def _place(problem: Diagnostic, places: dict[int, int]) -> tuple[int, int]:
    return places.get(id(problem.source), 0), problem.span.start if problem.span else 0
