"""All occurrences of names in a module, each with its definition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fictdsl.semantics.scopes import Resolution, Scopes
from fictdsl.source import Span
from fictdsl.syntax import nodes
from fictdsl.syntax.load import Module
from fictdsl.syntax.walk import (
    Definition,
    all_names,
    block_of,
    blocks_of,
    list_references,
    own_names,
    parameters,
    terms,
)
from runner.readers import real_path

NameKind = Literal["node", "list", "pattern", "filter", "rewrite", "parameter", "file"]


@dataclass(frozen=True)
class Occurrence:
    """A name without `@` or `$`, and its definition at `definition` in the file `path`.

    `item` is the named item or, for nodes and parameters, the item that contains them. `item_module` is the module of
    `item` or, for files, the used module. `block` is the keyword of the block of a node, and `term` the node with its
    tests at this occurrence.
    """

    span: Span
    kind: NameKind
    name: str
    path: Path | None
    definition: Span
    item_module: Module | None = None
    item: nodes.Item | None = None
    block: str = ""
    term: nodes.NodeTerm | None = None

    @property
    def definition_key(self) -> tuple[str, Path | None, int]:
        """The identity of the definition: equal for all occurrences, in any file, with the same meaning."""
        return self.kind, self.path, self.definition.start


def occurrence_at(occurrences: Sequence[Occurrence], offset: int) -> Occurrence | None:
    touching = [occurrence for occurrence in occurrences if occurrence.span.start <= offset <= occurrence.span.end]
    return max(touching, key=lambda occurrence: offset < occurrence.span.end, default=None)


def occurrences(module: Module, resolution: Resolution) -> list[Occurrence]:
    """Return all names in the items without errors, in no particular order."""
    result: list[Occurrence] = []
    for item in module.file.items:
        match item:
            case nodes.Use(path=path):
                used = module.uses.get(path.text)
                result.append(_file_occurrence(module, path, used))
            case nodes.ListDef(body=nodes.ListFile(path=path)):
                result += [_item_occurrence("list", item.name, item, module), _file_occurrence(module, path, None)]
            case nodes.ListDef():
                result.append(_item_occurrence("list", item.name, item, module))
            case nodes.PatternDef():
                result.append(_item_occurrence("pattern", item.name, item, module))
                result += _ItemNames(module, item, resolution).all()
            case nodes.FilterDef() | nodes.RewriteDef():
                kind: NameKind = "filter" if isinstance(item, nodes.FilterDef) else "rewrite"
                result.append(_item_occurrence(kind, item.name, item, module))
                result += _ItemNames(module, item, resolution).all()
                result += _parameters(module, item)
    return result


def _real_or_none(path: Path | None) -> Path | None:
    return path and real_path(path)


def _file_occurrence(module: Module, value: nodes.Value, used: Module | None) -> Occurrence:
    folder = module.path and module.path.parent
    path = used.path if used is not None and used.path else folder and folder / value.text
    return Occurrence(value.span, "file", value.text, _real_or_none(path), Span(0, 0), used)


def _item_occurrence(
    kind: NameKind, name: nodes.Name, item: nodes.ListDef | Definition, item_module: Module, span: Span | None = None
) -> Occurrence:
    return Occurrence(
        span or name.span, kind, item.name.text, _real_or_none(item_module.path), item.name.span, item_module, item
    )


def _parameters(module: Module, item: nodes.Query) -> Iterator[Occurrence]:
    if item.family is None:
        return
    name = item.family.parameter
    uses = parameters((item.match, item.actions))
    spans = [name.span, *(Span(use.span.start + 1, use.span.end) for use in uses)]
    for entry in item.metadata:
        if isinstance(entry, nodes.Text):
            reference = re.compile(rf"\${re.escape(name.text)}(?![A-Za-z0-9_])")
            matches = reference.finditer(module.source.text, entry.text.span.start, entry.text.span.end)
            spans += [Span(match.start() + 1, match.end()) for match in matches]
    for span in spans:
        yield Occurrence(span, "parameter", name.text, _real_or_none(module.path), name.span, module, item)


class _ItemNames:
    def __init__(self, module: Module, item: Definition, resolution: Resolution) -> None:
        self._module = module
        self._item = item
        self._resolution = resolution
        self._scopes: Scopes = resolution.scopes(item)
        self._blocks: dict[int, str] = {}  # keyword of the block of a node, by the start of the node
        self._introductions: dict[int, Span] = {}  # parameters and counted nodes are defined before their block
        # nodes of branches and of `maybe`, by name: equal names are one column of the result
        self._optional: dict[str, Span] = {}

    def all(self) -> Iterator[Occurrence]:
        top = block_of(self._item)
        if isinstance(self._item, nodes.PatternDef):
            for name in self._item.parameters:
                self._introduce(name, top)
            yield from self._block(top, "pattern")
            yield from (self._node(name, top) for name in self._item.parameters)
        else:
            yield from self._block(top, "match")
            for name in all_names(self._item.actions):
                if name.text in self._scopes.of(top).visible or name.text in self._optional:
                    yield self._node(name, top)

    def _introduce(self, name: nodes.Name, block: nodes.Block) -> None:
        self._introductions.setdefault(self._scopes.of(block).visible[name.text].span.start, name.span)

    def _block(self, block: nodes.Block, keyword: str) -> Iterator[Occurrence]:
        for owned in self._scopes.of(block).owned.values():
            self._blocks.setdefault(owned.span.start, keyword)
            if keyword in ("either", "maybe"):
                self._optional.setdefault(owned.text, owned.span)
        for clause in block.clauses:
            terms_by_name = {id(term.name): term for term in terms(clause)}
            if not isinstance(clause, nodes.Count):
                names = (name for name in own_names(clause) if name.text in self._scopes.of(block).visible)
                yield from (self._node(name, block, terms_by_name.get(id(name))) for name in names)
            yield from self._references(clause)
            is_nested = isinstance(clause, nodes.Either | nodes.Maybe) and keyword not in ("match", "pattern")
            inner_keyword = keyword if is_nested else _block_keyword(clause)
            for inner_block in blocks_of(clause):
                counted = clause.node if isinstance(clause, nodes.Count) else None
                if counted and counted.name and counted.name.text in self._scopes.of(inner_block).owned:
                    self._introduce(counted.name, inner_block)
                yield from self._block(inner_block, inner_keyword)
                if counted and counted.name:
                    yield self._node(counted.name, inner_block, counted)

    def _node(self, name: nodes.Name, block: nodes.Block, term: nodes.NodeTerm | None = None) -> Occurrence:
        visible = self._scopes.of(block).visible
        definition = visible[name.text].span if name.text in visible else self._optional[name.text]
        if self._blocks.get(definition.start) in ("either", "maybe"):
            definition = self._optional[name.text]
        keyword = self._blocks.get(definition.start, "")
        path, introduction = _real_or_none(self._module.path), self._introductions.get(definition.start, definition)
        return Occurrence(name.span, "node", name.text, path, introduction, self._module, self._item, keyword, term)

    def _references(self, clause: nodes.Clause) -> Iterator[Occurrence]:
        if isinstance(clause, nodes.Call):
            pattern = self._resolution.pattern_of(clause)
            if pattern is not None:
                yield _item_occurrence("pattern", clause.pattern, pattern.item, pattern.module)
        for reference in list_references(clause):
            definition = self._resolution.list_of(reference)
            if definition is not None:
                span = Span(reference.span.start + 1, reference.span.end)
                yield _item_occurrence("list", definition.item.name, definition.item, definition.module, span)


def _block_keyword(clause: nodes.Clause) -> str:
    match clause:
        case nodes.Without():
            return "without"
        case nodes.Either():
            return "either"
        case nodes.Maybe():
            return "maybe"
        case nodes.Count(quantifier=quantifier, number=number):
            return f"{quantifier} {number}"
        case _:
            return ""
