"""The scoping of node names, and the result of name resolution.

The scoping of node names.
A name belongs to the outermost block in which it occurs, at any position. A name in every branch of an `either`
belongs to the enclosing block. A name in only some branches belongs to each of these branches separately.

The result of name resolution: mappings from syntax nodes to definitions.
The mappings are keyed by the identity of nodes, so lookups need the module's own nodes, not equal copies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.syntax import nodes
from fictdsl.syntax.load import Module
from fictdsl.syntax.walk import all_names, block_of, blocks_of, clauses, own_names


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that belong to a block, and the names of enclosing blocks, each with its first occurrence."""

    owned: dict[str, nodes.Name]
    enclosing: dict[str, nodes.Name]

    @property
    def visible(self) -> dict[str, nodes.Name]:
        return self.enclosing | self.owned


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two occurrences of a name: `inside` is private to an `either` or `maybe`, and `outside` is outside of it."""

    inside: nodes.Name
    outside: nodes.Name


@dataclass(slots=True)
class Scopes:
    """The scopes of all blocks of a filter or pattern, by the identity of the block."""

    _by_block: dict[int, Scope] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    already_bound: list[Conflict] = field(default_factory=list)  # counted nodes (`outside`) that are bound at `inside`
    unbound: list[nodes.Name] = field(default_factory=list)  # names of `A may be B` that no other clause binds
    # Each `A may be B` with two names of enclosing blocks.
    outer_coincides: list[nodes.Coincide] = field(default_factory=list)

    def of(self, block: nodes.Block) -> Scope:
        return self._by_block[id(block)]

    def private(self, either: nodes.Either | nodes.Maybe) -> dict[str, nodes.Name]:
        names: dict[str, nodes.Name] = {}
        for branch in blocks_of(either):
            names = self.of(branch).owned | names
            for clause in branch.clauses:
                if isinstance(clause, nodes.Either | nodes.Maybe):
                    names = self.private(clause) | names
        return names

    def add(
        self,
        block: nodes.Block,
        owned: dict[str, nodes.Name],
        enclosing: dict[str, nodes.Name],
        surrounding: frozenset[str] = frozenset(),
    ) -> None:
        """Add the scopes of a block and its nested blocks. `owned` are its names besides the names in its clauses.

        For a branch of an `either` or `maybe`, `surrounding` are the names of the block that contains it. Expansion
        replaces the `either` or `maybe` in that block with the clauses of the branch.
        """
        new_names = {name: occurrence for name, occurrence in occurring_names(block).items() if name not in enclosing}
        scope = Scope(owned | new_names, enclosing)
        self._by_block[id(block)] = scope
        for clause in block.clauses:
            counted_name = clause.node.name if isinstance(clause, nodes.Count) else None
            if counted_name is not None and counted_name.text in scope.visible:
                self.already_bound.append(Conflict(scope.visible[counted_name.text], counted_name))
            counted = {} if counted_name is None else {counted_name.text: counted_name}
            is_expanded = isinstance(clause, nodes.Either | nodes.Maybe)
            inner_surrounding = surrounding | scope.owned.keys() if is_expanded else frozenset[str]()
            for inner_block in blocks_of(clause):
                self.add(inner_block, counted, scope.visible, inner_surrounding)
        self.conflicts += self._private_name_conflicts(block)
        self._check_coinciding(block, scope, surrounding)

    def _check_coinciding(self, block: nodes.Block, scope: Scope, surrounding: frozenset[str]) -> None:
        conflicting = {conflict.outside.text for conflict in self.conflicts}
        for clause in block.clauses:
            if isinstance(clause, nodes.Coincide):
                names = (clause.left, clause.right)
                unbound = [name for name in names if name.text not in scope.visible]
                self.unbound += [name for name in unbound if name.text not in conflicting]
                if not unbound and not any(name.text in surrounding or name.text in scope.owned for name in names):
                    self.outer_coincides.append(clause)

    def _private_name_conflicts(self, block: nodes.Block) -> Iterator[Conflict]:
        private_names: dict[str, list[tuple[int, nodes.Name]]] = {}
        for index, clause in enumerate(block.clauses):
            if isinstance(clause, nodes.Either | nodes.Maybe):
                for name, inside in self.private(clause).items():
                    private_names.setdefault(name, []).append((index, inside))
        if not private_names:
            return
        for index, clause in enumerate(block.clauses):
            for name, outside in _first_occurrences(all_names(clause)).items():
                first_index, inside = private_names.get(name, [(index, outside)])[0]
                if first_index < index or (first_index > index and not isinstance(clause, nodes.Either | nodes.Maybe)):
                    yield Conflict(inside, outside)


def scopes_of(definition: nodes.PatternDef | nodes.Query) -> Scopes:
    """Return the scopes of a pattern, filter or rewrite. A pattern's parameters belong to its outermost block."""
    scopes = Scopes()
    if isinstance(definition, nodes.PatternDef):
        scopes.add(definition.block, _first_occurrences(definition.parameters), {})
    else:
        scopes.add(definition.match, {}, {})
    return scopes


def occurring_names(block: nodes.Block) -> dict[str, nodes.Name]:
    """Return the names that occur in a block itself, in order, with the names shared by all branches of an `either`."""
    names: dict[str, nodes.Name] = {}
    for clause in block.clauses:
        names |= _new_names(clause, names)
    return names


def _new_names(clause: nodes.Clause, known_names: dict[str, nodes.Name]) -> dict[str, nodes.Name]:
    if isinstance(clause, nodes.Either):
        first_branch, *other_branches = (occurring_names(branch) for branch in clause.branches)
        shared = set(first_branch).intersection(*other_branches)
        names = {name: occurrence for name, occurrence in first_branch.items() if name in shared}
    elif isinstance(clause, nodes.Coincide):
        names = {}
    else:
        names = _first_occurrences(own_names(clause))
    return {name: occurrence for name, occurrence in names.items() if name not in known_names}


def _first_occurrences(names: Iterable[nodes.Name]) -> dict[str, nodes.Name]:
    occurrences: dict[str, nodes.Name] = {}
    for name in names:
        occurrences.setdefault(name.text, name)
    return occurrences


Definition = TypeVar("Definition", nodes.ListDef, nodes.PatternDef)


@dataclass(frozen=True, slots=True)
class ResolvedDefinition(Generic[Definition]):
    item: Definition
    module: Module


@dataclass(frozen=True, slots=True)
class VisibleNames:
    """The lists and patterns that are visible in a file. `complete` is False if a used file could not be read."""

    lists: dict[str, ResolvedDefinition[nodes.ListDef]]
    patterns: dict[str, ResolvedDefinition[nodes.PatternDef]]
    complete: bool


@dataclass(slots=True)
class Resolution:
    """The definitions of the names in `modules`: a module and all reachable by `use`, each once."""

    modules: tuple[Module, ...]
    _visible: dict[int, VisibleNames]
    _scopes: dict[int, Scopes]
    diagnostics: tuple[Diagnostic, ...] = ()
    lists: dict[int, ResolvedDefinition[nodes.ListDef]] = field(default_factory=dict)
    patterns: dict[int, ResolvedDefinition[nodes.PatternDef]] = field(default_factory=dict)

    def list_of(self, reference: nodes.ListRef) -> ResolvedDefinition[nodes.ListDef] | None:
        return self.lists.get(id(reference))

    def pattern_of(self, call: nodes.Call) -> ResolvedDefinition[nodes.PatternDef] | None:
        return self.patterns.get(id(call))

    def callees(self, definition: nodes.PatternDef | nodes.Query) -> Iterator[nodes.PatternDef]:
        for clause in clauses(block_of(definition)):
            pattern = self.pattern_of(clause) if isinstance(clause, nodes.Call) else None
            if pattern is not None:
                yield pattern.item

    def scopes(self, definition: nodes.PatternDef | nodes.Query) -> Scopes:
        return self._scopes[id(definition)]

    def visible(self, module: Module) -> VisibleNames:
        return self._visible[id(module)]

    def entries(self, reference: nodes.ListRef) -> tuple[str, ...] | None:
        definition = self.list_of(reference)
        return None if definition is None else definition.module.entries(definition.item)
