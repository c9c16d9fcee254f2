"""Resolve the names of a module and of the modules it uses."""

from __future__ import annotations

from fictdsl.semantics.resolve.names import check_names
from fictdsl.semantics.resolve.resolution import Resolution, ResolvedDefinition, VisibleNames
from fictdsl.semantics.resolve.scopes import scopes_of
from fictdsl.semantics.walk import definitions
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.program import Module


def resolve(module: Module) -> Resolution:
    """Resolve all names of a module and of the modules it uses. Errors (FICT2xx) are in the result's `diagnostics`."""
    modules = reachable(module)
    scopes = {id(item): scopes_of(item) for member in modules for item in definitions(member.file)}
    resolution = Resolution(modules, {id(member): _visible(member) for member in modules}, scopes)
    resolution.diagnostics = tuple(check_names(resolution))
    return resolution


def reachable(module: Module) -> tuple[Module, ...]:
    """Return a module and all modules reachable by `use`, each once, breadth first."""
    visited: dict[int, Module] = {}
    queue = [module]
    while queue:
        current = queue.pop(0)
        if id(current) not in visited:
            visited[id(current)] = current
            queue += current.uses.values()
    return tuple(visited.values())


def _visible(module: Module) -> VisibleNames:
    """Return the visible definitions. Those of the file itself take precedence. `check_names` reports clashes."""
    visible_names = VisibleNames({}, {}, all(path in module.uses for path in _used_paths(module)))
    for definer in (module, *module.uses.values()):
        for item in definer.file.items:
            match item:
                case nodes.ListDef(name=name):
                    visible_names.lists.setdefault(name.text, ResolvedDefinition(item, definer))
                case nodes.PatternDef(name=name):
                    visible_names.patterns.setdefault(name.text, ResolvedDefinition(item, definer))
                case _:
                    pass
    return visible_names


def _used_paths(module: Module) -> list[str]:
    return [item.path.text for item in module.file.items if isinstance(item, nodes.Use)]
