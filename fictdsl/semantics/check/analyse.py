"""Semantic analysis of a loaded module: name resolution and checks."""

from __future__ import annotations

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.semantics.check.check import check
from fictdsl.semantics.resolve.resolution import Resolution
from fictdsl.semantics.resolve.resolve import resolve
from fictdsl.syntax.parsing.program import Module


def analyse(module: Module) -> tuple[Resolution, list[Diagnostic]]:
    """Resolve and check a module and the modules it uses. Return diagnostics in the order of modules and text.

    The module's filters can be lowered if there are no errors.
    """
    resolution = resolve(module)
    module_order = {id(used_module.source): index for index, used_module in enumerate(resolution.modules)}
    diagnostics = [*resolution.diagnostics, *check(resolution)]
    return resolution, sorted(diagnostics, key=lambda problem: _sort_key(problem, module_order))


def _sort_key(problem: Diagnostic, module_order: dict[int, int]) -> tuple[int, int]:
    return module_order.get(id(problem.source), 0), problem.span.start if problem.span else 0
