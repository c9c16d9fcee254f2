"""Resolve the names of lists and patterns in a file, for the reference interpreter."""

from __future__ import annotations

from dataclasses import dataclass

from fictdsl.syntax.nodes import ListDef, PatternDef, Use
from fictdsl.syntax.parsing.program import Module


@dataclass(frozen=True)
class Names:
    """The lists and patterns that a file can use: its own, and the ones in files that it names in `use`.

    `lists` maps a name to its entries. `patterns` maps a name to its definition and to the module that resolves the
    names in that definition.
    """

    lists: dict[str, tuple[str, ...]]
    patterns: dict[str, tuple[PatternDef, Module]]


def names_of(module: Module) -> Names:
    """Return the names of a file. `use` is not transitive."""
    names = Names({}, {})
    for item in module.file.items:
        if isinstance(item, Use):
            _define(module.uses[item.path.text], names)
    _define(module, names)
    return names


def _define(module: Module, names: Names) -> None:
    for item in module.file.items:
        if isinstance(item, ListDef):
            entries = module.entries(item)
            assert entries is not None, item.name.text
            names.lists[item.name.text] = entries
        elif isinstance(item, PatternDef):
            names.patterns[item.name.text] = (item, module)
