"""The clauses of a block with pattern calls written out and `either` multiplied into lists of clauses to hold together.

What a clause means depends on where it was written, so each carries its `Frame`: the module its lists and
patterns are looked up in, the value of the family parameter, and which node each of its names stands for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TypeAlias, TypeVar, assert_never

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.semantics import walk
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.program import Module

MAX_READINGS = 256  # of one block
MAX_BLOCKS = 512  # readings of all blocks together
MAX_CALLS = 4096
MAX_DEPTH = 64

Key: TypeAlias = tuple[int, str]  # a node's name and the pattern call it is private to (0: the filter itself)


class LimitError(Exception):
    """A filter is larger than what is supported; carried inside lowering only, which returns the diagnostic."""

    def __init__(self, problem: Diagnostic) -> None:
        super().__init__(problem.message)
        self.problem = problem


@dataclass(frozen=True, eq=False)
class Frame:
    """Where a clause was written. `names` are the parameters of a pattern; `value` is the family's (name, value)."""

    module: Module
    value: tuple[str, str] | None = None
    names: Mapping[str, Key] = field(default_factory=dict)
    call: int = 0
    depth: int = 0

    def key(self, name: str) -> Key:
        """The node a name stands for here."""
        return self.names.get(name, (self.call, name))

    def text(self, atom: nodes.Atom) -> str:
        """What a value says, the family parameter replaced."""
        match atom:
            case nodes.Value(text=text):
                return text
            case nodes.Param(name=name):
                if self.value is None or self.value[0] != name:
                    raise AssertionError(f"unresolved parameter ${name}")
                return self.value[1]
        assert_never(atom)

    def list_values(self, reference: nodes.ListRef) -> tuple[str, ...]:
        """The entries of a named list."""
        module, definition = _find(self.module, nodes.ListDef, reference.name)
        entries = module.entries(definition)
        assert entries is not None, reference.name
        return entries


Definition = TypeVar("Definition", nodes.ListDef, nodes.PatternDef)


def _find(module: Module, kind: type[Definition], name: str) -> tuple[Module, Definition]:
    """A definition by name: the file's own, else one of the files it uses."""
    for place in (module, *module.uses.values()):
        for item in place.file.items:
            if isinstance(item, kind) and item.name.text == name:
                return place, item
    raise AssertionError(f"unresolved name {name}")


def named_lists(module: Module, definition: nodes.FilterDef) -> frozenset[str]:
    """The names of the lists that a filter names, itself or in the patterns that it calls."""
    found: set[str] = set()
    met: set[int] = set()
    waiting: list[tuple[Module, nodes.FilterDef | nodes.PatternDef]] = [(module, definition)]
    while waiting:
        place, item = waiting.pop()
        if id(item) in met:
            continue
        met.add(id(item))
        for clause in walk.clauses(walk.block_of(item)):
            if isinstance(clause, nodes.Call):
                waiting.append(_find(place, nodes.PatternDef, clause.pattern.text))
            for test in (part for whole, _ in walk.tests(clause) for part in walk.simple(whole)):
                if isinstance(test, nodes.Member) and isinstance(test.values, nodes.ListRef):
                    found.add(test.values.name)
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Introduced:
    """An argument of a pattern call: the node belongs to the block of the call, whatever the pattern says of it."""

    key: Key


Simple: TypeAlias = (
    nodes.Chain | nodes.Between | nodes.Relate | nodes.Without | nodes.Count | nodes.SentenceTest | Introduced
)
Clauses: TypeAlias = tuple[tuple[Simple, Frame], ...]


class Expander:
    """Expands the blocks of one filter, counting what it has made so that no filter can grow without bound."""

    def __init__(self, module: Module, definition: nodes.FilterDef) -> None:
        self._module = module
        self._definition = definition
        self._calls = count(1)
        self._blocks = 0
        self._known: dict[tuple[int, Frame], list[Clauses]] = {}

    def readings(self, block: nodes.Block, frame: Frame) -> list[Clauses]:
        """The readings of a block: one clause list for each way to choose a branch of every `either` in it.

        A block that stands in several readings of the block around it has the same ones, the same frames too, in all.
        """
        if (id(block), frame) not in self._known:
            self._known[id(block), frame] = self._block(block, frame)
        found = self._known[id(block), frame]
        self._blocks += len(found)
        self._check_readings(self._blocks, MAX_BLOCKS)
        return found

    def limit(self, code: str, number: int) -> LimitError:
        """A limit of the whole filter that was passed."""
        name = self._definition.name
        return LimitError(diagnostic(code, self._module.source, name.span, name=name.text, limit=number))

    def _check_readings(self, number: int, limit: int = MAX_READINGS) -> None:
        if number > limit:
            raise self.limit("FICT404", limit)

    def _block(self, block: nodes.Block, frame: Frame) -> list[Clauses]:
        readings: list[Clauses] = [()]
        for clause in block.clauses:
            choices = self._clause(clause, frame)
            self._check_readings(len(readings) * len(choices))
            readings = [reading + choice for reading in readings for choice in choices]
        return readings

    def _clause(self, clause: nodes.Clause, frame: Frame) -> list[Clauses]:
        match clause:
            case nodes.Either(branches=branches):
                found: list[Clauses] = []
                for branch in branches:
                    found += self._block(branch, frame)
                    self._check_readings(len(found))
                return found
            case nodes.Call():
                introduced, body, inner = self._call(clause, frame)
                return [introduced + reading for reading in self._block(body, inner)]
        return [((clause, frame),)]

    def _call(self, call: nodes.Call, frame: Frame) -> tuple[Clauses, nodes.Block, Frame]:
        number = next(self._calls)
        if number > MAX_CALLS:
            raise self.limit("FICT407", MAX_CALLS)
        if frame.depth >= MAX_DEPTH:
            raise LimitError(
                diagnostic("FICT403", frame.module.source, call.span, what="pattern calls", limit=MAX_DEPTH)
            )
        module, pattern = _find(frame.module, nodes.PatternDef, call.pattern.text)
        keys = {
            parameter.text: (number, parameter.text) if argument is None else frame.key(argument.text)
            for parameter, argument in zip(pattern.parameters, call.arguments, strict=True)
        }
        inner = Frame(module, None, keys, number, frame.depth + 1)
        introduced: Clauses = tuple((Introduced(key), frame) for key in keys.values())
        return introduced, pattern.block, inner


def own_keys(clauses: Clauses) -> Iterator[Key]:
    """The named nodes that stand in a block itself, not in the blocks inside it, in order, with repetition."""
    for clause, frame in clauses:
        match clause:
            case Introduced(key=key):
                yield key
            case nodes.Relate(left=left, right=right):
                yield from (frame.key(left.node.text), frame.key(right.node.text))
            case nodes.Chain() | nodes.Between():
                yield from (frame.key(term.name.text) for term in terms(clause) if term.name is not None)
            case nodes.Without() | nodes.Count() | nodes.SentenceTest():
                pass
            case _:
                assert_never(clause)


def terms(clause: nodes.Chain | nodes.Between) -> Sequence[nodes.NodeTerm]:
    """The nodes of a clause in the order they are written."""
    match clause:
        case nodes.Chain(first=first, links=links):
            return [first, *(link.target for link in links)]
        case nodes.Between(middle=middle, left=left, right=right):
            return [middle, left, right]
    assert_never(clause)
