"""From a module to what the names of its lists and patterns stand for, in the file where they are written."""

from __future__ import annotations

from dataclasses import dataclass

from fictdsl.syntax.nodes import ListDef, ListFile, PatternDef, Use, Value
from fictdsl.syntax.program import Module


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
            names.lists[item.name.text] = entries(item, module)
        elif isinstance(item, PatternDef):
            names.patterns[item.name.text] = (item, module)


def entries(definition: ListDef, module: Module) -> tuple[str, ...]:
    """The strings of a list, written in place or read from its file."""
    if isinstance(definition.body, ListFile):
        return module.lists[definition.body.path.text]
    return tuple(value.text for value in definition.body.values if isinstance(value, Value))
