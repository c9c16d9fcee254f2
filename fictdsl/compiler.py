"""Compile `.fict` files: load, analyse and lower them, then plan and emit SQL for each filter on request."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity, has_errors
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.schema import PLAIN, Layout
from fictdsl.semantics import ir
from fictdsl.semantics.check import analyse
from fictdsl.semantics.expand import list_names
from fictdsl.semantics.lower import lower
from fictdsl.semantics.resolve import reachable, resolve
from fictdsl.semantics.scopes import Resolution
from fictdsl.syntax import nodes
from fictdsl.syntax.files import NO_OVERRIDES, ListOverride, ListOverrides
from fictdsl.syntax.load import Module, load_file, load_text

if TYPE_CHECKING:
    from fictdsl.plan.nodes import Plan
    from fictdsl.semantics import operations
    from fictdsl.semantics.operations import Words
    from fictdsl.sql.emit import Targets
    from fictdsl.sql.statement import Statement


@dataclass(frozen=True, slots=True)
class Metadata:
    about: str | None
    source: str | None
    notes: tuple[str, ...]
    targets: tuple[str, ...]


@dataclass(frozen=True)
class CompiledFilter:
    """A lowered filter, or a member of a family, whose `name` is `family.value`; without one, `value` is None."""

    name: str
    path: Path | None
    definition: nodes.FilterDef
    value: str | None
    module: Module
    metadata: Metadata
    ir: ir.Filter
    _statements: dict[tuple[str, Layout], Statement] = field(default_factory=dict, compare=False, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        return self.ir.names

    @cached_property
    def key(self) -> str:
        """The SHA-256 (hex) of the core form. Formatting, comments and names do not change it."""
        return ir.key(self.ir)

    @property
    def text(self) -> str:
        span = self.definition.span
        return self.module.source.text[span.start : span.end]

    @property
    def record(self) -> dict[str, Any]:
        metadata = self.metadata
        return {
            "name": self.name,
            "key": self.key,
            "text": self.text,
            "about": metadata.about,
            "source": metadata.source,
            "notes": metadata.notes,
            "targets": metadata.targets,
            "lists": tuple(map(str, self.lists)),
        }

    @property
    def features(self) -> tuple[str, ...]:
        return tuple(sorted({element.name for element in ir.walk(self.ir) if isinstance(element, ir.Feature)}))

    @cached_property
    def lists(self) -> tuple[ListOverride, ...]:
        overrides = self.module.overrides
        names = list_names(resolve(self.module), self.definition) if overrides else frozenset()
        return tuple(overrides[name] for name in sorted(names & overrides.keys()))

    @property
    def actions(self) -> tuple[str, ...]:
        from fictdsl.syntax.printer import print_action  # lazy: counting matches needs no printer

        return tuple(print_action(action) for action in self.definition.actions) or ("remove sentence",)

    @cached_property
    def plan(self) -> Plan:
        return self.plan_for(PLAIN)

    def plan_for(self, layout: Layout) -> Plan:
        from fictdsl.plan.build import build  # lazy: reading filters needs no planner
        from fictdsl.plan.passes import optimize

        return optimize(build(self.ir, layout), layout)

    def statement(self, dialect: str = "duckdb", layout: Layout = PLAIN) -> Statement:
        """Return the SQL that finds every match, cached in memory and, for filters in files, on disk."""
        statement = self._statements.get((dialect, layout))
        if statement is None:
            from fictdsl.sql.statement import cached_statement

            emit = partial(self._emit, dialect, layout)
            statement = cached_statement(self.path, self.name, self.ir, dialect, layout, emit)
            self._statements[dialect, layout] = statement
        return statement

    def _emit(self, dialect: str, layout: Layout) -> Statement:
        from fictdsl.sql.emit import emit  # lazy: a cached statement needs no planner

        return emit(self.plan if layout is PLAIN else self.plan_for(layout), self.names, dialect, layout)

    def targets(self, dialect: str = "duckdb") -> tuple[Targets, ...]:
        """Return, for each action in order, the SQL that selects its targets from the matches."""
        from fictdsl.sql.emit import targets

        return tuple(targets(action, dialect) for action in self.ir.actions)

    @property
    def keeps(self) -> bool:
        """Whether the filter has the action `keep sentence`: a filtered corpus contains only sentences that match."""
        return any(action.verb == "keep" for action in self.ir.actions)


@dataclass(frozen=True)
class CompiledRewrite:
    """A compiled rewrite, or a compiled member of a family of rewrites.

    `matching` is a filter with the `match` block of the rewrite. The operations refer to its `names` by index.
    """

    definition: nodes.RewriteDef
    matching: CompiledFilter
    operations: tuple[operations.Operation, ...]

    @property
    def name(self) -> str:
        return self.matching.name

    @property
    def path(self) -> Path | None:
        return self.matching.path

    @cached_property
    def key(self) -> str:
        """The SHA-256 (hex) of the core form. Formatting and comments do not change it."""
        key_content = ["rewrite", 1, self.matching.key, ir.canonical(self.operations), sorted(self.as_is)]
        return ir.digest(key_content)

    @cached_property
    def as_is(self) -> frozenset[str]:
        """The properties that the rewrite does not adapt to the new order: case, article."""
        return frozenset(entry.kind for entry in self.definition.metadata if isinstance(entry, nodes.AsIs))

    @cached_property
    def targets(self) -> tuple[tuple[Words, ...], ...]:
        from fictdsl.semantics import operations  # lazy, as its lowering: most files have no rewrites

        return tuple(map(operations.targets_of, self.operations))

    @cached_property
    def targets_sentences(self) -> bool:
        return any(words.kind == "sentence" for targets in self.targets for words in targets)

    @property
    def matches_everywhere(self) -> bool:
        """Whether `match` is empty, so that every sentence has one match."""
        return not self.definition.match.clauses

    @property
    def actions(self) -> tuple[str, ...]:
        from fictdsl.syntax.printer import print_rewriting

        return tuple(print_rewriting(action) for action in self.definition.actions)


@dataclass(frozen=True)
class Compilation:
    """The `module`, None if it could not be read, and its filters and rewrites, empty if there are errors."""

    module: Module | None
    filters: tuple[CompiledFilter, ...]
    diagnostics: tuple[Diagnostic, ...]
    rewrites: tuple[CompiledRewrite, ...] = ()

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(problem for problem in self.diagnostics if problem.severity is Severity.ERROR)


def compile_file(path: Path, overrides: ListOverrides = NO_OVERRIDES) -> Compilation:
    """Compile a `.fict` file and the files it uses. `overrides` replace the declared lists of the same names."""
    return compile_module(*load_file(path, overrides=overrides))


def compile_text(
    text: str, name: str = "<text>", base: Path | None = None, overrides: ListOverrides = NO_OVERRIDES
) -> Compilation:
    """Compile a string. Paths in its `use` and `file` are relative to the folder `base`."""
    return compile_module(*load_text(text, name, base, overrides=overrides))


def unknown_lists(modules: Iterable[Module], overrides: ListOverrides) -> dict[str, Diagnostic]:
    loaded = {id(used_module): used_module for module in modules for used_module in reachable(module)}.values()
    items = [item for module in loaded for item in module.file.items]
    declared = sorted({item.name.text for item in items if isinstance(item, nodes.ListDef)})
    all_lists = f"lists: {', '.join(declared)}" if declared else "the files declare no lists"
    return {
        name: diagnostic("FICT293", hint=did_you_mean(name, declared) or all_lists, name=name)
        for name in overrides
        if name not in declared
    }


def compile_module(module: Module | None, load_diagnostics: list[Diagnostic]) -> Compilation:
    diagnostics = list(load_diagnostics)
    if module is not None and not has_errors(diagnostics):
        resolution, problems = analyse(module)
        diagnostics += problems
        if not has_errors(problems):
            return compile_checked(resolution, diagnostics)
    return Compilation(module, (), tuple(diagnostics))


def compile_checked(resolution: Resolution, warnings: list[Diagnostic]) -> Compilation:
    module = resolution.modules[0]
    diagnostics = dict.fromkeys(warnings)
    filters: list[CompiledFilter] = []
    rewrites: list[CompiledRewrite] = []
    for item in module.file.items:
        if not isinstance(item, nodes.FilterDef | nodes.RewriteDef):
            continue
        definition = item if isinstance(item, nodes.FilterDef) else _match_filter(item)
        values: list[str | None] = [None] if item.family is None else [value.text for value in item.family.values]
        for value in values:
            compiled, problems = _compile_filter(resolution, definition, value)
            diagnostics |= dict.fromkeys(problems)
            if compiled is None:
                continue
            if isinstance(item, nodes.RewriteDef):
                from fictdsl.semantics.operations import lower_actions

                rewrites.append(CompiledRewrite(item, compiled, lower_actions(item, value, compiled.names)))
            else:
                filters.append(compiled)
    if has_errors(diagnostics):
        return Compilation(module, (), tuple(diagnostics))
    return Compilation(module, tuple(filters), tuple(diagnostics), tuple(rewrites))


def _match_filter(definition: nodes.RewriteDef) -> nodes.FilterDef:
    count = nodes.Action("count", nodes.Target("sentence", (), span=definition.span), None, None, span=definition.span)
    return nodes.FilterDef(
        definition.name, definition.family, definition.metadata, definition.match, (count,), span=definition.span
    )


def recompile(compiled: CompiledFilter, definition: nodes.FilterDef) -> Compilation:
    items = compiled.module.file.items
    other_items = tuple(item for item in items if not isinstance(item, nodes.FilterDef | nodes.RewriteDef))
    file = replace(compiled.module.file, items=(*other_items, definition))
    module = replace(compiled.module, file=file)
    resolution, problems = analyse(module)
    if has_errors(problems):
        return Compilation(module, (), tuple(problems))
    recompiled, limit_errors = _compile_filter(resolution, definition, compiled.value)
    return Compilation(module, () if recompiled is None else (recompiled,), (*problems, *limit_errors))


def _compile_filter(
    resolution: Resolution, definition: nodes.FilterDef, value: str | None
) -> tuple[CompiledFilter | None, list[Diagnostic]]:
    lowered, limit_errors = lower(resolution, definition, value)
    if lowered is None:
        return None, list(limit_errors)
    name = definition.name.text if value is None else f"{definition.name.text}.{value}"
    metadata = _metadata(definition, value)
    module = resolution.modules[0]
    compiled = CompiledFilter(name, module.path, definition, value, module, metadata, lowered)
    return compiled, []


def _metadata(definition: nodes.FilterDef, value: str | None) -> Metadata:
    texts: dict[str, list[str]] = {"about": [], "source": [], "note": []}
    targets: tuple[str, ...] = ()
    for entry in definition.metadata:
        if isinstance(entry, nodes.Text):
            texts[entry.kind].append(_substituted(entry.text.text, definition.family, value))
        elif isinstance(entry, nodes.TargetBenchmarks):
            targets = tuple(name.text for name in entry.names)
    about, source = (next(iter(texts[kind]), None) for kind in ("about", "source"))
    return Metadata(about, source, tuple(texts["note"]), targets)


def _substituted(text: str, family: nodes.Family | None, value: str | None) -> str:
    """Replace the family parameter `$p` in a text, but not as the prefix of a longer name."""
    if family is None or value is None:
        return text
    return re.sub(rf"\${re.escape(family.parameter.text)}(?![A-Za-z0-9_])", lambda _: value, text)
