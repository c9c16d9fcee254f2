"""The whole compiler on one page: a file or a text to its filters, each ready to become SQL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.plan.layout import PLAIN, Layout
from fictdsl.semantics import ir
from fictdsl.semantics.check.analyse import analyse
from fictdsl.semantics.lower.expand import named_lists
from fictdsl.semantics.lower.lower import lower
from fictdsl.semantics.resolve.resolve import reachable
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.load import load_file, load_text
from fictdsl.syntax.parsing.program import Module
from fictdsl.syntax.parsing.word_lists import NONE, Given, GivenList

if TYPE_CHECKING:
    from fictdsl.plan.nodes import Plan
    from fictdsl.sql.context import Dialect
    from fictdsl.sql.statement import Statement
    from fictdsl.sql.targets import Targets


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a filter says about itself, the family parameter written out."""

    about: str | None
    source: str | None
    notes: tuple[str, ...]
    targets: tuple[str, ...]


@dataclass(frozen=True)
class CompiledFilter:
    """One filter, or one member of a family (`name` is then `family.value`), bound and lowered.

    `names` are those a match binds, in order of first occurrence.
    """

    name: str
    path: Path | None
    definition: nodes.FilterDef
    value: str | None
    module: Module
    metadata: Metadata
    ir: ir.Filter
    _statements: dict[tuple[Dialect, Layout], Statement] = field(default_factory=dict, compare=False, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The names a match binds."""
        return self.ir.names

    @cached_property
    def key(self) -> str:
        """The sha256 (hex) of the core form: formatting, comments and names do not change it."""
        return ir.key(self.ir)

    @property
    def features(self) -> tuple[str, ...]:
        """The features it asks for, in alphabetical order."""
        return tuple(sorted({part.name for part in ir.walk(self.ir) if isinstance(part, ir.Feature)}))

    @cached_property
    def lists(self) -> tuple[GivenList, ...]:
        """The lists in its tests that were given from outside, in alphabetical order."""
        given = self.module.given
        return tuple(given[name] for name in sorted(named_lists(self.module, self.definition) & given.keys()))

    @property
    def actions(self) -> tuple[str, ...]:
        """What is done, action by action, as it is written: `mask subtree(X) with upos`."""
        from fictdsl.syntax.printing.printer import print_action  # to count needs no printer

        return tuple(print_action(action) for action in self.definition.actions) or ("remove sentence",)

    @cached_property
    def plan(self) -> Plan:
        """The relational plan, after all passes, for a store of which nothing is known."""
        return self.plan_for(PLAIN)

    def plan_for(self, layout: Layout) -> Plan:
        """The relational plan, after all passes, for a store of this layout."""
        from fictdsl.plan.build import build  # to read filters takes no planner
        from fictdsl.plan.passes import optimize

        return optimize(build(self.ir, layout), layout)

    def statement(self, dialect: Dialect = "duckdb", layout: Layout = PLAIN) -> Statement:
        """The SQL that finds every match; a store must offer what `layout` says."""
        found = self._statements.get((dialect, layout))
        if found is None:
            from fictdsl.sql.emit import emit  # sqlglot is needed for this alone

            plan = self.plan if layout is PLAIN else self.plan_for(layout)
            found = emit(plan, self.names, dialect, layout)
            self._statements[dialect, layout] = found
        return found

    def targets(self, dialect: Dialect = "duckdb") -> tuple[Targets, ...]:
        """For each action, in order, the SQL that finds in the matches what it is done to."""
        from fictdsl.sql.targets import targets

        return tuple(targets(action, dialect) for action in self.ir.actions)

    @property
    def keeps(self) -> bool:
        """Whether the filter says `keep sentence`: a corpus made with it has what matches, not what does not."""
        return any(action.verb == "keep" for action in self.ir.actions)


@dataclass(frozen=True)
class Compilation:
    """What became of a file: its module (None if it could not be read), its filters (none where there are errors)."""

    module: Module | None
    filters: tuple[CompiledFilter, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The diagnostics that stop."""
        return tuple(problem for problem in self.diagnostics if problem.severity is Severity.ERROR)


def compile_file(path: Path, given: Given = NONE) -> Compilation:
    """Compile a `.fict` file with all it uses; the lists `given` replace the declared ones of their names."""
    return compile_module(*load_file(path, given=given))


def compile_text(text: str, name: str = "<text>", base: Path | None = None, given: Given = NONE) -> Compilation:
    """Compile a text; `base` is the folder its `use` and `file` paths are relative to."""
    return compile_module(*load_text(text, name, base, given=given))


def unknown_lists(modules: Iterable[Module], given: Given) -> dict[str, Diagnostic]:
    """The given lists that none of the modules declares, nor what they use, by name."""
    reached = {id(part): part for module in modules for part in reachable(module)}.values()
    items = [item for part in reached for item in part.file.items]
    declared = sorted({item.name.text for item in items if isinstance(item, nodes.ListDef)})
    return {
        name: diagnostic("FICT293", hint=did_you_mean(name, declared) or _known(declared), name=name)
        for name in given
        if name not in declared
    }


def _known(declared: Sequence[str]) -> str:
    return f"lists: {', '.join(declared)}" if declared else "they declare no list"


def compile_module(module: Module | None, loaded: list[Diagnostic]) -> Compilation:
    """Compile what was loaded; `loaded` are the diagnostics of loading it."""
    diagnostics = list(loaded)
    if module is None or _has_errors(diagnostics):
        return Compilation(module, (), tuple(diagnostics))
    diagnostics += analyse(module)[1]
    if _has_errors(diagnostics):
        return Compilation(module, (), tuple(diagnostics))
    return compile_analysed(module, diagnostics)


def compile_analysed(module: Module, found: list[Diagnostic]) -> Compilation:
    """Compile a module in whose names and types there is no error; `found` is what was said of it."""
    diagnostics = dict.fromkeys(found)
    filters: list[CompiledFilter] = []
    for item in module.file.items:
        if isinstance(item, nodes.FilterDef):
            for value in _values(item):
                compiled, problems = _compile_filter(module, item, value)
                diagnostics |= dict.fromkeys(problems)
                filters += [] if compiled is None else [compiled]
    return Compilation(module, () if _has_errors(diagnostics) else tuple(filters), tuple(diagnostics))


def compile_instead(compiled: CompiledFilter, definition: nodes.FilterDef) -> CompiledFilter | None:
    """Another definition in the file of a filter and for the same value; None where it has errors."""
    others = tuple(item for item in compiled.module.file.items if not isinstance(item, nodes.FilterDef))
    file = replace(compiled.module.file, items=(*others, definition))
    module = replace(compiled.module, file=file)
    if _has_errors(analyse(module)[1]):
        return None
    return _compile_filter(module, definition, compiled.value)[0]


def _has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(problem.severity is Severity.ERROR for problem in diagnostics)


def _values(definition: nodes.FilterDef) -> tuple[str | None, ...]:
    return (None,) if definition.family is None else tuple(value.text for value in definition.family.values)


def _compile_filter(
    module: Module, definition: nodes.FilterDef, value: str | None
) -> tuple[CompiledFilter | None, list[Diagnostic]]:
    lowered, limits = lower(module, definition, value)
    if lowered is None:
        return None, list(limits)
    name = definition.name.text if value is None else f"{definition.name.text}.{value}"
    metadata = _metadata(definition, value)
    compiled = CompiledFilter(name, module.path, definition, value, module, metadata, lowered)
    return compiled, []


def _metadata(definition: nodes.FilterDef, value: str | None) -> Metadata:
    texts: dict[str, list[str]] = {"about": [], "source": [], "note": []}
    targets: tuple[str, ...] = ()
    for entry in definition.metadata:
        match entry:
            case nodes.Text(kind=kind, text=text):
                texts[kind].append(_expanded(text.text, definition.family, value))
            case nodes.Targets(names=names):
                targets = tuple(_expanded(name.text, definition.family, value) for name in names)
    about, source = (next(iter(texts[kind]), None) for kind in ("about", "source"))
    return Metadata(about, source, tuple(texts["note"]), targets)


def _expanded(text: str, family: nodes.Family | None, value: str | None) -> str:
    """The text with `$p` replaced, where p is the whole of a name."""
    if family is None or value is None:
        return text
    return re.sub(rf"\${re.escape(family.parameter.text)}(?![A-Za-z0-9_])", lambda _: value, text)
