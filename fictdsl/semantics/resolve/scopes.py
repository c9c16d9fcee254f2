"""A block into the blocks inside it, each with the names that belong to it.

A name belongs to the outermost block in which it occurs, before or after. What occurs in every branch of an
`either` occurs in the block around it; what occurs in some branches belongs to each of these on its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from fictdsl.semantics.walk import all_names, blocks_of, own_names
from fictdsl.syntax import nodes


@dataclass(frozen=True, slots=True)
class Scope:
    """The names of one block: those that belong to it, and those that belong to the blocks around it.

    Both map a name to the place where it first occurs.
    """

    owned: dict[str, nodes.Name]
    around: dict[str, nodes.Name]

    @property
    def visible(self) -> dict[str, nodes.Name]:
        """All names that may be used in the block for nodes bound in it or around it."""
        return self.around | self.owned


@dataclass(frozen=True, slots=True)
class Conflict:
    """A name that is private to some branches of an `either` (`inside`), and stands beside it (`outside`)."""

    inside: nodes.Name
    outside: nodes.Name


@dataclass(slots=True)
class Scopes:
    """The scope of every block of a filter or a pattern, by the identity of the block."""

    _by_block: dict[int, Scope] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    not_new: list[Conflict] = field(default_factory=list)  # counted nodes (`outside`) that are known already

    def of(self, block: nodes.Block) -> Scope:
        """The names of a block. KeyError if it is no block of what was read."""
        return self._by_block[id(block)]

    def private(self, either: nodes.Either) -> dict[str, nodes.Name]:
        """The names that some branches of an `either` bind and others do not, or each for itself."""
        found: dict[str, nodes.Name] = {}
        for branch in either.branches:
            found = self.of(branch).owned | found
            for clause in branch.clauses:
                if isinstance(clause, nodes.Either):
                    found = self.private(clause) | found
        return found

    def read(self, block: nodes.Block, owned: dict[str, nodes.Name], around: dict[str, nodes.Name]) -> None:
        """Give a block, and the blocks in it, their names; `owned` are those it has beside its clauses'."""
        fresh = {name: place for name, place in occurring(block).items() if name not in around}
        scope = Scope(owned | fresh, around)
        self._by_block[id(block)] = scope
        for clause in block.clauses:
            counted = _counted(clause)
            if counted is not None and counted.text in scope.visible:
                self.not_new.append(Conflict(scope.visible[counted.text], counted))
            for inner in blocks_of(clause):
                self.read(inner, {} if counted is None else {counted.text: counted}, scope.visible)
        self.conflicts += self._beside(block)

    def _beside(self, block: nodes.Block) -> Iterator[Conflict]:
        """Yield, for every clause that has a name private to another clause, the first such conflict."""
        private: dict[str, list[tuple[int, nodes.Name]]] = {}
        for place, clause in enumerate(block.clauses):
            if isinstance(clause, nodes.Either):
                for name, inside in self.private(clause).items():
                    private.setdefault(name, []).append((place, inside))
        if not private:
            return
        for place, clause in enumerate(block.clauses):
            for name, outside in _first(all_names(clause)).items():
                first, inside = private.get(name, [(place, outside)])[0]
                if first < place or (first > place and not isinstance(clause, nodes.Either)):
                    yield Conflict(inside, outside)


def scopes_of(item: nodes.PatternDef | nodes.FilterDef) -> Scopes:
    """The scopes of all blocks of a filter, or of a pattern, whose parameters belong to its outermost block."""
    found = Scopes()
    if isinstance(item, nodes.PatternDef):
        found.read(item.block, _first(item.parameters), {})
    else:
        found.read(item.match, {}, {})
    return found


def occurring(block: nodes.Block) -> dict[str, nodes.Name]:
    """The names that occur in a block itself, in order: not in its blocks, but for what all branches share."""
    found: dict[str, nodes.Name] = {}
    for clause in block.clauses:
        found |= _new(clause, found)
    return found


def _new(clause: nodes.Clause, known: dict[str, nodes.Name]) -> dict[str, nodes.Name]:
    if isinstance(clause, nodes.Either):
        first, *others = (occurring(branch) for branch in clause.branches)
        shared = {name: place for name, place in first.items() if all(name in other for other in others)}
    else:
        shared = _first(own_names(clause))
    return {name: place for name, place in shared.items() if name not in known}


def _first(names: Iterable[nodes.Name]) -> dict[str, nodes.Name]:
    found: dict[str, nodes.Name] = {}
    for name in names:
        found.setdefault(name.text, name)
    return found


def _counted(clause: nodes.Clause) -> nodes.Name | None:
    return clause.node.name if isinstance(clause, nodes.Count) else None
