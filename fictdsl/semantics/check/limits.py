"""Check that filters are within the supported size (FICT4xx).

Pattern calls are counted without expanding them: each pattern is measured once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.semantics.resolve.resolution import Resolution
from fictdsl.semantics.resolve.scopes import Scopes
from fictdsl.semantics.walk import block_of, blocks_of, clauses, simple_tests, terms, tests
from fictdsl.source import Source
from fictdsl.syntax import nodes

MAX_NODES = 32
MAX_DEPTH = 64
MAX_MEASURES = 32  # of one comparison, so that no engine's integers overflow
MAX_FAMILY = 256
MAX_FAMILY_TESTS = 50_000  # tests of all members of a family, which are compiled separately


@dataclass(frozen=True, slots=True)
class Size:
    """The number of nodes of a definition, and the nesting depth of its blocks."""

    nodes: int
    depth: int


def check_limits(resolution: Resolution) -> Iterator[Diagnostic]:
    """Report filters with too many nodes, too deeply nested blocks or too large families. Names must be resolved."""
    measure = Measure(resolution)
    for module in resolution.modules:
        for definition in module.file.items:
            if not isinstance(definition, nodes.FilterDef | nodes.RewriteDef):
                continue
            yield from _check_family(module.source, definition)
            size = measure.size_of(definition)
            name = definition.name
            if size.nodes > MAX_NODES:
                hint = "split it into several filters"
                parameters = {"name": name.text, "count": str(size.nodes), "limit": str(MAX_NODES)}
                yield diagnostic("FICT402", module.source, name.span, hint=hint, labels=(), fix=None, **parameters)
            if size.depth > MAX_DEPTH:
                what = f"the blocks of `{name.text}`, including its patterns,"
                yield diagnostic("FICT403", module.source, name.span, what=what, limit=MAX_DEPTH)


def _check_family(source: Source, definition: nodes.Query) -> Iterator[Diagnostic]:
    if definition.family is None:
        return
    count = len(definition.family.values)
    test_count = sum(1 for clause in clauses(definition.match) for test, _ in tests(clause) for _ in simple_tests(test))
    limit = min(MAX_FAMILY, max(1, MAX_FAMILY_TESTS // max(1, test_count)))
    if count > limit:
        size_note = f" for a filter of {test_count} tests" if limit < MAX_FAMILY else ""
        parameters = {"name": definition.name.text, "count": count, "limit": limit, "size": size_note}
        yield diagnostic("FICT410", source, definition.name.span, **parameters)  # type: ignore[arg-type]


class Measure:
    """The sizes of filters and patterns, cached. Requires that no pattern is recursive."""

    def __init__(self, resolution: Resolution) -> None:
        self._resolution = resolution
        self._sizes: dict[int, Size] = {}

    def size_of(self, definition: nodes.PatternDef | nodes.Query) -> Size:
        """Return the size of a filter, or of a pattern without its parameters, which are nodes of the caller."""
        stack: list[nodes.PatternDef | nodes.Query] = [definition]  # not recursive, as chains of calls may be long
        while stack:
            unmeasured = [callee for callee in self._resolution.callees(stack[-1]) if id(callee) not in self._sizes]
            if unmeasured:
                stack += unmeasured
            else:
                measured = stack.pop()
                self._sizes[id(measured)] = self._measured(measured)
        return self._sizes[id(definition)]

    def _measured(self, definition: nodes.PatternDef | nodes.Query) -> Size:
        """Measure a definition whose callees have been measured."""
        size = self._block_size(block_of(definition), self._resolution.scopes(definition))
        parameters = len(definition.parameters) if isinstance(definition, nodes.PatternDef) else 0
        return Size(size.nodes - parameters, size.depth)

    def _block_size(self, block: nodes.Block, scopes: Scopes) -> Size:
        count, depth = len(scopes.of(block).owned), 0
        for clause in block.clauses:
            count += sum(term.name is None for term in terms(clause))
            inner_sizes = [self._block_size(inner_block, scopes) for inner_block in blocks_of(clause)]
            if isinstance(clause, nodes.Either):
                count -= sum(len(scopes.of(inner_block).owned) for inner_block in clause.branches)
                count += len({name for inner_block in clause.branches for name in scopes.of(inner_block).owned})
            if isinstance(clause, nodes.Call):
                pattern = self._resolution.pattern_of(clause)
                assert pattern is not None, clause.pattern.text
                callee_size = self._sizes[id(pattern.item)]
                count += sum(argument is None for argument in clause.arguments)
                inner_sizes.append(Size(callee_size.nodes, callee_size.depth - 1))
            count += sum(size.nodes for size in inner_sizes)
            depth = max([depth, *(size.depth for size in inner_sizes)])
        return Size(count, depth + 1)
