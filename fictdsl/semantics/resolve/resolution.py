"""The shape of a resolution: what each name of a module means, as side tables by the identity of syntax nodes.

The nodes asked about must therefore be those of the module itself, not equal ones:

- `list_of(ref)` and `pattern_of(call)` give the definition meant and the module it stands in;
- `scopes(item)` gives, for a filter or pattern, the names that each of its blocks owns (see `scopes`);
- `modules` are the module and all it reaches through `use`, each once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.semantics.resolve.scopes import Scopes
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.program import Module

Definition = TypeVar("Definition", nodes.ListDef, nodes.PatternDef)


@dataclass(frozen=True, slots=True)
class ResolvedDefinition(Generic[Definition]):
    """A definition, and the module in whose file it stands."""

    item: Definition
    module: Module


@dataclass(frozen=True, slots=True)
class Visible:
    """The lists and patterns that a file can name. `complete` is False if a used file could not be read."""

    lists: dict[str, ResolvedDefinition[nodes.ListDef]]
    patterns: dict[str, ResolvedDefinition[nodes.PatternDef]]
    complete: bool


@dataclass(slots=True)
class Resolution:
    """What the names of a module, and of the modules it uses, mean."""

    modules: tuple[Module, ...]
    _visible: dict[int, Visible]
    _scopes: dict[int, Scopes]
    diagnostics: tuple[Diagnostic, ...] = ()
    _lists: dict[int, ResolvedDefinition[nodes.ListDef]] = field(default_factory=dict)
    _patterns: dict[int, ResolvedDefinition[nodes.PatternDef]] = field(default_factory=dict)

    def list_of(self, reference: nodes.ListRef) -> ResolvedDefinition[nodes.ListDef] | None:
        """The list that `@name` means; None if it means none."""
        return self._lists.get(id(reference))

    def pattern_of(self, call: nodes.Call) -> ResolvedDefinition[nodes.PatternDef] | None:
        """The pattern that is called; None if there is none."""
        return self._patterns.get(id(call))

    def scopes(self, item: nodes.PatternDef | nodes.FilterDef) -> Scopes:
        """The names of each block of a filter or pattern of one of the modules."""
        return self._scopes[id(item)]

    def visible(self, module: Module) -> Visible:
        """The lists and patterns that one of the modules can name."""
        return self._visible[id(module)]

    def entries(self, reference: nodes.ListRef) -> tuple[str, ...] | None:
        """The entries of the list that is meant; None if it is not known or could not be read."""
        found = self.list_of(reference)
        return None if found is None else found.module.entries(found.item)

    def add_list(self, reference: nodes.ListRef, found: ResolvedDefinition[nodes.ListDef]) -> None:
        """Note what a reference means."""
        self._lists[id(reference)] = found

    def add_pattern(self, call: nodes.Call, found: ResolvedDefinition[nodes.PatternDef]) -> None:
        """Note what a call means."""
        self._patterns[id(call)] = found
