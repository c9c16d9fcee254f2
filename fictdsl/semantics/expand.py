"""Expand pattern calls, `either` and `maybe`: convert a block to readings, lists of clauses.

The meaning of a clause depends on where it was written, so each clause has a `Frame`: the module that contains it, the
value of the family parameter, and the nodes that its names stand for. Lists and patterns are looked up in the
`Resolution`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import TypeAlias, assert_never

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.semantics.scopes import Resolution, ResolvedDefinition
from fictdsl.syntax import nodes, walk
from fictdsl.syntax.load import Module

MAX_READINGS = 256  # readings of one block
MAX_TOTAL_READINGS = 512  # readings of all blocks of a filter
MAX_CALLS = 4096
MAX_DEPTH = 64

Key: TypeAlias = tuple[int, str]  # the number of a node's pattern call (0: the filter), and its name


class LimitError(Exception):
    """A filter exceeds a limit. `lower` catches it and returns the diagnostic."""

    def __init__(self, problem: Diagnostic) -> None:
        super().__init__(problem.message)
        self.problem = problem


@dataclass(frozen=True, eq=False)
class Frame:
    """The context of a clause.

    `names` maps a pattern's parameters to nodes; `parameter` is the name and the value of the family's parameter.
    `call` is the number of the pattern call (0: the filter), and `depth` the number of pattern calls around the clause.
    """

    resolution: Resolution
    module: Module
    parameter: tuple[str, str] | None = None
    names: Mapping[str, Key] = field(default_factory=dict)
    call: int = 0
    depth: int = 0

    def key(self, name: str) -> Key:
        return self.names.get(name, (self.call, name))

    def text(self, atom: nodes.Atom) -> str:
        match atom:
            case nodes.Value(text=text):
                return text
            case nodes.Param(name=name):
                if self.parameter is None or self.parameter[0] != name:
                    raise AssertionError(f"unresolved parameter ${name}")
                return self.parameter[1]
        assert_never(atom)

    def list_values(self, reference: nodes.ListRef) -> tuple[str, ...]:
        entries = self.resolution.entries(reference)
        assert entries is not None, reference.name
        return entries


def list_names(resolution: Resolution, definition: nodes.FilterDef) -> frozenset[str]:
    names: set[str] = set()
    visited: set[int] = set()
    stack: list[nodes.FilterDef | nodes.PatternDef] = [definition]
    while stack:
        caller = stack.pop()
        if id(caller) in visited:
            continue
        visited.add(id(caller))
        for clause in walk.clauses(walk.block_of(caller)):
            if isinstance(clause, nodes.Call):
                stack.append(_pattern(resolution, clause).item)
            names |= {reference.name for reference in walk.list_references(clause)}
    return frozenset(names)


def _pattern(resolution: Resolution, call: nodes.Call) -> ResolvedDefinition[nodes.PatternDef]:
    pattern = resolution.pattern_of(call)
    assert pattern is not None, call.pattern.text
    return pattern


@dataclass(frozen=True, slots=True)
class CallArgument:
    """An argument of a pattern call. Its node belongs to the block of the call, even if the pattern never uses it."""

    key: Key


Reading: TypeAlias = tuple[tuple[nodes.Clause | CallArgument, Frame], ...]


class Expander:
    """Expands the blocks of one filter, and raises LimitError if all of them together exceed a limit.

    Every request for readings counts towards the limit, also one from the cache. Blocks are identified by `id`, so the
    syntax tree must outlive the object.
    """

    def __init__(self, resolution: Resolution, definition: nodes.FilterDef) -> None:
        self._resolution = resolution
        self._definition = definition
        self._calls = count(1)
        self._total_readings = 0
        self._cache: dict[tuple[int, Frame], list[Reading]] = {}

    def readings(self, block: nodes.Block, frame: Frame) -> list[Reading]:
        """A reading per combination of alternatives; cached, so that a block has the same frames wherever it occurs."""
        if (id(block), frame) not in self._cache:
            self._cache[id(block), frame] = self._expand_block(block, frame)
        readings = self._cache[id(block), frame]
        self._total_readings += len(readings)
        self._check_readings(self._total_readings, MAX_TOTAL_READINGS)
        return readings

    def limit_error(self, code: str, limit: int) -> LimitError:
        name = self._definition.name
        return LimitError(diagnostic(code, self._resolution.modules[0].source, name.span, name=name.text, limit=limit))

    def _check_readings(self, count: int, limit: int = MAX_READINGS) -> None:
        if count > limit:
            raise self.limit_error("FICT404", limit)

    def _expand_block(self, block: nodes.Block, frame: Frame) -> list[Reading]:
        readings: list[Reading] = [()]
        for clause in block.clauses:
            alternatives = self._expand_clause(clause, frame)
            self._check_readings(len(readings) * len(alternatives))
            readings = [reading + alternative for reading in readings for alternative in alternatives]
        return readings

    def _expand_clause(self, clause: nodes.Clause, frame: Frame) -> list[Reading]:
        match clause:
            case nodes.Either(branches=branches):
                readings: list[Reading] = []
                for branch in branches:
                    readings += self._expand_block(branch, frame)
                    self._check_readings(len(readings))
                return readings
            case nodes.Maybe(block=body, span=span):
                return [*self._expand_block(body, frame), ((nodes.Without(body, span=span), frame),)]
            case nodes.Call():
                arguments, body, callee_frame = self._expand_call(clause, frame)
                return [arguments + reading for reading in self._expand_block(body, callee_frame)]
        return [((clause, frame),)]

    def _expand_call(self, call: nodes.Call, frame: Frame) -> tuple[Reading, nodes.Block, Frame]:
        call_number = next(self._calls)
        if call_number > MAX_CALLS:
            raise self.limit_error("FICT407", MAX_CALLS)
        if frame.depth >= MAX_DEPTH:
            raise LimitError(
                diagnostic("FICT403", frame.module.source, call.span, what="pattern calls", limit=MAX_DEPTH)
            )
        resolved = _pattern(self._resolution, call)
        pattern = resolved.item
        keys = {
            parameter.text: (call_number, parameter.text) if argument is None else frame.key(argument.text)
            for parameter, argument in zip(pattern.parameters, call.arguments, strict=True)
        }
        callee_frame = Frame(self._resolution, resolved.module, None, keys, call_number, frame.depth + 1)
        arguments: Reading = tuple((CallArgument(key), frame) for key in keys.values())
        return arguments, pattern.block, callee_frame


def own_keys(reading: Reading) -> Iterator[Key]:
    for clause, frame in reading:
        if isinstance(clause, CallArgument):
            yield clause.key
        elif not isinstance(clause, nodes.Coincide):
            yield from (frame.key(name.text) for name in walk.own_names(clause))
