"""From a module to what the names of its lists and patterns stand for, in the file where they are written."""

from __future__ import annotations

from dataclasses import dataclass

from fictdsl.syntax.nodes import ListDef, PatternDef, Use
from fictdsl.syntax.parsing.program import Module


@dataclass(frozen=True)
class Names:
    """What one file can name: its own lists and patterns and those its `use`d files define themselves.

    `lists` maps a name to its entries; `patterns` maps a name to its definition and to the module in which
    the names inside that definition are looked up.
    """

    lists: dict[str, tuple[str, ...]]
    patterns: dict[str, tuple[PatternDef, Module]]


def names_of(module: Module) -> Names:
    """The names of a file. `use` is not transitive: what a used file itself uses stays with it."""
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
