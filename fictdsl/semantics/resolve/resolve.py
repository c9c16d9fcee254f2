"""A module into its resolution: what each name in it means, and every name that means nothing."""

from __future__ import annotations

from fictdsl.semantics.resolve.names import check_names
from fictdsl.semantics.resolve.resolution import Resolution, ResolvedDefinition, Visible
from fictdsl.semantics.resolve.scopes import scopes_of
from fictdsl.semantics.walk import definitions
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.program import Module


def resolve(module: Module) -> Resolution:
    """Find what every name of a module and of those it uses means. Mistakes are FICT2xx in `diagnostics`."""
    modules = reachable(module)
    scopes = {id(item): scopes_of(item) for part in modules for item in definitions(part.file)}
    resolution = Resolution(modules, {id(part): _visible(part) for part in modules}, scopes)
    resolution.diagnostics = tuple(check_names(resolution))
    return resolution


def reachable(module: Module) -> tuple[Module, ...]:
    """A module and all that it reaches through `use`, each once."""
    found: dict[int, Module] = {}
    waiting = [module]
    while waiting:
        part = waiting.pop(0)
        if id(part) not in found:
            found[id(part)] = part
            waiting += part.uses.values()
    return tuple(found.values())


def _visible(module: Module) -> Visible:
    """What a file defines itself comes before what it gets from others; a clash is found in `names`."""
    visible = Visible({}, {}, all(path in module.uses for path in _used_paths(module)))
    for part in (module, *module.uses.values()):
        for item in part.file.items:
            match item:
                case nodes.ListDef(name=name):
                    visible.lists.setdefault(name.text, ResolvedDefinition(item, part))
                case nodes.PatternDef(name=name):
                    visible.patterns.setdefault(name.text, ResolvedDefinition(item, part))
                case _:
                    pass
    return visible


def _used_paths(module: Module) -> list[str]:
    return [item.path.text for item in module.file.items if isinstance(item, nodes.Use)]
