"""Resolve references to lists, patterns and nodes, and report unknown, duplicate and misplaced names (FICT2xx)."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import combinations

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic, Label
from fictdsl.diagnostics.suggest import did_you_mean, nearest
from fictdsl.semantics.scopes import Conflict, Resolution, ResolvedDefinition, Scopes, VisibleNames, scopes_of
from fictdsl.source import Span
from fictdsl.syntax import nodes
from fictdsl.syntax.files import column_counts_of
from fictdsl.syntax.load import Module
from fictdsl.syntax.walk import (
    Definition,
    all_names,
    block_of,
    clauses,
    definitions,
    family_of,
    links,
    list_references,
    measures,
    parameters,
    terms,
)
from fictdsl.words import inflected


def check_names(resolution: Resolution) -> Iterator[Diagnostic]:
    """Resolve every reference, storing the results in `resolution`, and yield the diagnostics of all modules."""
    for module in resolution.modules:
        yield from _duplicates(module)
        yield from _clashes(module)
        for item in module.file.items:
            if isinstance(item, nodes.ListDef):
                for parameter in parameters(item):
                    yield diagnostic("FICT204", module.source, parameter.span, name=parameter.name, what="list")
        for definition in definitions(module.file):
            yield from _check_definition(module, definition, resolution)
    yield from _check_recursion(resolution)


def _duplicates(module: Module) -> Iterator[Diagnostic]:
    first_names: dict[tuple[str, str], nodes.Name] = {}
    kinds = {nodes.ListDef: "list", nodes.PatternDef: "pattern"}
    for item in module.file.items:
        if isinstance(item, nodes.Use):
            continue
        kind, name = kinds.get(type(item), "filter"), item.name
        first_name = first_names.setdefault((kind, name.text), name)
        if first_name is not name:
            label = Label(first_name.span, "first here")
            kind = "rewrite" if isinstance(item, nodes.RewriteDef) else kind
            yield diagnostic("FICT205", module.source, name.span, labels=(label,), kind=kind, name=name.text)


def _clashes(module: Module) -> Iterator[Diagnostic]:
    """Report names that two visible files define, at the later `use`, or at the definition in the module itself."""
    visible_names: dict[tuple[str, str], tuple[Module, nodes.Name]] = {}
    used_modules = {id(used_module): used_module for used_module in module.uses.values()}
    for definer in (module, *used_modules.values()):
        defined: dict[tuple[str, str], nodes.Name] = {}
        for item in definer.file.items:
            if isinstance(item, nodes.ListDef | nodes.PatternDef):
                kind = "list" if isinstance(item, nodes.ListDef) else "pattern"
                defined.setdefault((kind, item.name.text), item.name)
        for (kind, text), name in defined.items():
            if (kind, text) not in visible_names:
                visible_names[kind, text] = definer, name
                continue
            other, other_name = visible_names[kind, text]
            span = other_name.span if other is module else _use_of(module, definer)
            second_label = Label(name.span, "the other", definer.source)
            first_labels = () if other is module else (Label(other_name.span, "one", other.source),)
            labels = (*first_labels, second_label)
            first = "this file" if other is module else f"`{other.source.name}`"
            parameters = {"kind": kind, "name": text, "first": first, "second": f"`{definer.source.name}`"}
            yield diagnostic("FICT206", module.source, span, labels=labels, hint=None, fix=None, **parameters)


def _use_of(module: Module, used_module: Module) -> Span:
    return next(
        item.path.span
        for item in module.file.items
        if isinstance(item, nodes.Use) and module.uses.get(item.path.text) is used_module
    )


def _check_definition(module: Module, definition: Definition, resolution: Resolution) -> Iterator[Diagnostic]:
    if isinstance(definition, nodes.PatternDef):
        for first, second in combinations(definition.parameters, 2):
            if first.text == second.text:
                yield _repeated_name("FICT210", module, first, second)
    family = family_of(definition)
    for parameter in parameters(definition):
        if family is None or family.parameter.text != parameter.name:
            yield _unknown_parameter(module, definition, parameter)
    for clause in clauses(block_of(definition)):
        yield from _resolve_lists(module, clause, resolution)
        if isinstance(clause, nodes.Call):
            yield from _resolve_call(module, clause, resolution)
        for left, right in _distinct_pairs(clause):
            if left is not None and right is not None and left.text == right.text:
                yield _repeated_name("FICT209", module, left, right)
    scopes = resolution.scopes(definition)
    for conflict in scopes.conflicts:
        yield _conflict_diagnostic("FICT211", module, conflict, "a branch binds it here")
    for conflict in scopes.already_bound:
        yield _conflict_diagnostic("FICT214", module, conflict, "the enclosing node")
    for unbound in scopes.unbound:
        names = dict.fromkeys(name.text for name in all_names(block_of(definition)) if name.text != unbound.text)
        hint = did_you_mean(unbound.text, list(names))
        yield diagnostic("FICT215", module.source, unbound.span, hint=hint, name=unbound.text)
    for coincide in scopes.outer_coincides:
        yield diagnostic("FICT216", module.source, coincide.span, left=coincide.left.text, right=coincide.right.text)
    if not isinstance(definition, nodes.PatternDef):
        yield from _check_actions(module, definition, scopes)


def _conflict_diagnostic(code: str, module: Module, conflict: Conflict, text: str) -> Diagnostic:
    labels = (Label(conflict.inside.span, text),)
    return diagnostic(code, module.source, conflict.outside.span, labels=labels, name=conflict.outside.text)


def _repeated_name(code: str, module: Module, first: nodes.Name, second: nodes.Name) -> Diagnostic:
    labels = (Label(first.span, "first here"),)
    return diagnostic(code, module.source, second.span, labels=labels, name=second.text)


def _distinct_pairs(clause: nodes.Clause) -> Iterator[tuple[nodes.Name | None, nodes.Name | None]]:
    match clause:
        case nodes.Crossing(left=first, right=second):
            yield first.name, second.name
        case nodes.Coincide(left=left_name, right=right_name):
            yield left_name, right_name
        case nodes.Chain():
            yield from ((left.name, link.target.name) for left, link in links(clause))
        case nodes.Between():
            yield from combinations((term.name for term in terms(clause)), 2)
        case nodes.Call(arguments=arguments):
            yield from combinations(arguments, 2)
        case nodes.SumComparison():
            for measure in measures(clause):
                yield from combinations(measure.nodes, 2)
        case _:
            pass


# --- references -------------------------------------------------------------------------------------


def _unknown_parameter(module: Module, definition: Definition, parameter: nodes.Param) -> Diagnostic:
    name = parameter.name
    if isinstance(definition, nodes.PatternDef):
        return diagnostic("FICT204", module.source, parameter.span, name=name, what="pattern")
    if definition.family is None:
        keyword = "rewrite" if isinstance(definition, nodes.RewriteDef) else "filter"
        hint = f"a family begins `{keyword} {definition.name.text} for {name} in {{…}} {{`"
    else:
        hint = f"the parameter of this family is `${definition.family.parameter.text}`"
    return diagnostic("FICT203", module.source, parameter.span, hint=hint, name=name, filter=definition.name.text)


def _resolve_lists(module: Module, clause: nodes.Clause, resolution: Resolution) -> Iterator[Diagnostic]:
    visible_names = resolution.visible(module)
    for reference in list_references(clause):
        if reference.name in visible_names.lists:
            resolution.lists[id(reference)] = visible_names.lists[reference.name]
            yield from _check_columns(module, clause, reference, resolution)
        elif visible_names.complete:
            hint = _hint(reference.name, list(visible_names.lists), resolution, nodes.ListDef)
            yield diagnostic("FICT201", module.source, reference.span, hint=hint, name=f"@{reference.name}")


def _check_columns(
    module: Module, clause: nodes.Clause, reference: nodes.ListRef, resolution: Resolution
) -> Iterator[Diagnostic]:
    attribute_count = len(clause.attributes) if isinstance(clause, nodes.TupleMember) else 1
    definition = resolution.list_of(reference)
    has_rows = definition is not None and definition.item.has_rows
    if attribute_count == 1 and not has_rows:
        return  # a tab in a single value does not separate columns
    column_counts = sorted(column_counts_of(resolution.entries(reference) or ()))
    if column_counts and column_counts != [attribute_count]:
        columns = " or ".join(map(str, column_counts))
        found_columns = "single values" if column_counts == [1] else f"rows of {columns} columns"
        expected = "one attribute is" if attribute_count == 1 else f"{attribute_count} attributes are"
        labels = () if definition is None else (Label(definition.item.name.span, "the list", definition.module.source),)
        parameters = {"name": reference.name, "found": found_columns, "expected": expected}
        yield diagnostic("FICT217", module.source, reference.span, hint=None, labels=labels, fix=None, **parameters)


def _resolve_call(module: Module, call: nodes.Call, resolution: Resolution) -> Iterator[Diagnostic]:
    visible_names = resolution.visible(module)
    name = call.pattern
    if name.text not in visible_names.patterns:
        if visible_names.complete:
            hint = _hint(name.text, list(visible_names.patterns), resolution, nodes.PatternDef)
            if name.text in ("distance", "length"):
                hint = "a number of words is compared: `distance(A, B) > 5`, `length(subtree(A)) > 5`"
            yield diagnostic("FICT202", module.source, name.span, hint=hint, name=name.text)
        return
    pattern = visible_names.patterns[name.text]
    resolution.patterns[id(call)] = pattern
    expected, actual = len(pattern.item.parameters), len(call.arguments)
    if expected != actual:
        label = Label(pattern.item.name.span, "defined here", pattern.module.source)
        parameters = {
            "name": name.text,
            "expected": f"{expected or 'no'} {inflected(expected, 'node')}",
            "found": str(actual),
        }
        yield diagnostic("FICT208", module.source, call.span, labels=(label,), hint=None, fix=None, **parameters)


def _hint(
    name: str,
    candidates: list[str],
    resolution: Resolution,
    definition_type: type[nodes.ListDef] | type[nodes.PatternDef],
) -> str | None:
    for module in resolution.modules:
        for item in module.file.items:
            if isinstance(item, definition_type) and item.name.text == name:
                return f"`{module.source.name}` defines it, but this file does not `use` that file"
    if definition_type is nodes.ListDef:
        suggestion = nearest(name, candidates)
        return f"the nearest name is `@{suggestion}`" if suggestion else None
    return did_you_mean(name, candidates)


# --- actions ----------------------------------------------------------------------------------------


def _check_actions(module: Module, query: nodes.Query, scopes: Scopes) -> Iterator[Diagnostic]:
    bound_names = scopes.of(query.match).owned
    private_names: dict[str, nodes.Name] = {}
    for clause in query.match.clauses:
        if isinstance(clause, nodes.Maybe) and isinstance(query, nodes.RewriteDef):
            # An action of a rewrite that names an unbound word is skipped.
            bound_names = bound_names | scopes.private(clause)
        elif isinstance(clause, nodes.Either | nodes.Maybe):
            private_names |= scopes.private(clause)
    for name in all_names(query.actions):
        if name.text in bound_names:
            continue
        if name.text in private_names:
            label = Label(private_names[name.text].span, "a branch binds it here")
            yield diagnostic("FICT212", module.source, name.span, labels=(label,), name=name.text)
        else:
            hint = did_you_mean(name.text, bound_names)
            yield diagnostic("FICT213", module.source, name.span, hint=hint, name=name.text)


# --- recursion --------------------------------------------------------------------------------------


def _check_recursion(resolution: Resolution) -> Iterator[Diagnostic]:
    patterns = [
        (module, item)
        for module in resolution.modules
        for item in module.file.items
        if isinstance(item, nodes.PatternDef)
    ]
    calls = {id(pattern): {id(callee) for callee in resolution.callees(pattern)} for _, pattern in patterns}
    try:
        TopologicalSorter(calls).prepare()
        return
    except CycleError:
        pass  # with one of the cycles
    reported: set[int] = set()
    for module, pattern in patterns:
        cycle = [] if id(pattern) in reported else _cycle(pattern, resolution)
        if cycle:
            reported |= {id(member) for member in cycle}
            chain = " → ".join(member.name.text for member in (*cycle, pattern))
            yield diagnostic("FICT207", module.source, pattern.name.span, name=pattern.name.text, chain=chain)


def _cycle(start: nodes.PatternDef, resolution: Resolution) -> list[nodes.PatternDef]:
    predecessors: dict[int, nodes.PatternDef | None] = {id(start): None}
    queue = [start]
    while queue:
        pattern = queue.pop(0)
        for callee in resolution.callees(pattern):
            if callee is start:
                path = [pattern]
                while (previous := predecessors[id(path[0])]) is not None:
                    path.insert(0, previous)
                return path
            if id(callee) not in predecessors:
                predecessors[id(callee)] = pattern
                queue.append(callee)
    return []


def resolve(module: Module) -> Resolution:
    """Resolve the names of a module and of the modules it uses. Errors (FICT2xx) are in `diagnostics`."""
    modules = reachable(module)
    scopes = {id(item): scopes_of(item) for member in modules for item in definitions(member.file)}
    resolution = Resolution(modules, {id(member): _visible(member) for member in modules}, scopes)
    resolution.diagnostics = tuple(check_names(resolution))
    return resolution


def reachable(module: Module) -> tuple[Module, ...]:
    visited: dict[int, Module] = {}
    queue = [module]
    while queue:
        current = queue.pop(0)
        if id(current) not in visited:
            visited[id(current)] = current
            queue += current.uses.values()
    return tuple(visited.values())


def _visible(module: Module) -> VisibleNames:
    used_paths = {item.path.text for item in module.file.items if isinstance(item, nodes.Use)}
    visible_names = VisibleNames({}, {}, used_paths <= module.uses.keys())
    for definer in (module, *module.uses.values()):
        for item in definer.file.items:
            if isinstance(item, nodes.ListDef):
                visible_names.lists.setdefault(item.name.text, ResolvedDefinition(item, definer))
            elif isinstance(item, nodes.PatternDef):
                visible_names.patterns.setdefault(item.name.text, ResolvedDefinition(item, definer))
    return visible_names
