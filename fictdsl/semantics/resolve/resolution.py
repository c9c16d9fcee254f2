"""The result of name resolution: mappings from syntax nodes to definitions.

The mappings are keyed by the identity of nodes, so lookups need the module's own nodes, not equal copies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.semantics.resolve.scopes import Scopes
from fictdsl.semantics.walk import block_of, clauses
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.program import Module

Definition = TypeVar("Definition", nodes.ListDef, nodes.PatternDef)


@dataclass(frozen=True, slots=True)
class ResolvedDefinition(Generic[Definition]):
    """A definition, and the module that contains it."""

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
    """The definitions of the names in a module and in the modules it uses.

    `modules` are the module and all modules reachable by `use`, each once.
    """

    modules: tuple[Module, ...]
    _visible: dict[int, VisibleNames]
    _scopes: dict[int, Scopes]
    diagnostics: tuple[Diagnostic, ...] = ()
    _lists: dict[int, ResolvedDefinition[nodes.ListDef]] = field(default_factory=dict)
    _patterns: dict[int, ResolvedDefinition[nodes.PatternDef]] = field(default_factory=dict)

    def list_of(self, reference: nodes.ListRef) -> ResolvedDefinition[nodes.ListDef] | None:
        """Return the list that `@name` refers to, or None if it is unknown."""
        return self._lists.get(id(reference))

    def pattern_of(self, call: nodes.Call) -> ResolvedDefinition[nodes.PatternDef] | None:
        """Return the pattern that is called, or None if it is unknown."""
        return self._patterns.get(id(call))

    def callees(self, definition: nodes.PatternDef | nodes.Query) -> Iterator[nodes.PatternDef]:
        """Yield the patterns that a pattern, filter or rewrite calls, with repetitions."""
        for clause in clauses(block_of(definition)):
            pattern = self.pattern_of(clause) if isinstance(clause, nodes.Call) else None
            if pattern is not None:
                yield pattern.item

    def scopes(self, definition: nodes.PatternDef | nodes.Query) -> Scopes:
        """Return the scopes of a pattern, filter or rewrite."""
        return self._scopes[id(definition)]

    def visible(self, module: Module) -> VisibleNames:
        """Return the lists and patterns that are visible in one of the modules."""
        return self._visible[id(module)]

    def entries(self, reference: nodes.ListRef) -> tuple[str, ...] | None:
        """Return the entries of the referenced list, or None if it is unknown or could not be read."""
        definition = self.list_of(reference)
        return None if definition is None else definition.module.entries(definition.item)

    def add_list(self, reference: nodes.ListRef, definition: ResolvedDefinition[nodes.ListDef]) -> None:
        """Record the list that a reference refers to."""
        self._lists[id(reference)] = definition

    def add_pattern(self, call: nodes.Call, definition: ResolvedDefinition[nodes.PatternDef]) -> None:
        """Record the pattern that a call refers to."""
        self._patterns[id(call)] = definition
