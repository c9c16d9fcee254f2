"""A module into every place where one of its names stands, each with what the name means there."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from fictdsl.semantics.resolve.resolution import Resolution
from fictdsl.semantics.resolve.scopes import Scopes
from fictdsl.semantics.walk import atoms, block_of, blocks_of, clauses, own_names, simple, terms, tests
from fictdsl.source import Span
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.program import Module

Definition: TypeAlias = nodes.PatternDef | nodes.FilterDef
NameKind = Literal["node", "list", "pattern", "filter", "parameter", "file"]


@dataclass(frozen=True)
class Occurrence:
    """A name where it stands, without `@` or `$`, and where what it means is introduced: `place`, in the file `path`.

    `item` is what is named or, for nodes and parameters, what they belong to; `home` is the module it stands in.
    `block` is the word that opens the block a node belongs to; `term` is the node with its tests as written here.
    """

    span: Span
    kind: NameKind
    name: str
    path: Path | None
    place: Span
    home: Module | None = None
    item: nodes.Item | None = None
    block: str = ""
    term: nodes.NodeTerm | None = None

    @property
    def key(self) -> tuple[str, Path | None, int]:
        """The same for all places, in whatever file, that mean the same thing."""
        return self.kind, self.path, self.place.start


def at(found: Sequence[Occurrence], offset: int) -> Occurrence | None:
    """The name that an offset touches."""
    touched = [occurrence for occurrence in found if occurrence.span.start <= offset <= occurrence.span.end]
    return max(touched, key=lambda occurrence: offset < occurrence.span.end, default=None)


def occurrences(module: Module, resolution: Resolution) -> list[Occurrence]:
    """Every name in the items of a module that have no error, in no order."""
    found: list[Occurrence] = []
    for item in module.file.items:
        match item:
            case nodes.Use(path=path):
                used = module.uses.get(path.text)
                found.append(_file(module, path, used))
            case nodes.ListDef(body=nodes.ListFile(path=path)):
                found += [_of_item("list", item.name, item, module), _file(module, path, None)]
            case nodes.ListDef():
                found.append(_of_item("list", item.name, item, module))
            case nodes.PatternDef():
                found.append(_of_item("pattern", item.name, item, module))
                found += _Inside(module, item, resolution).all()
            case nodes.FilterDef():
                found.append(_of_item("filter", item.name, item, module))
                found += _Inside(module, item, resolution).all()
                found += _parameters(module, item)
    return found


def _real(path: Path | None) -> Path | None:
    return path and Path(os.path.realpath(path))


def _file(module: Module, written: nodes.Value, used: Module | None) -> Occurrence:
    folder = module.path and module.path.parent
    path = used.path if used is not None and used.path else folder and folder / written.text
    return Occurrence(written.span, "file", written.text, _real(path), Span(0, 0), used)


def _of_item(
    kind: NameKind, name: nodes.Name, item: nodes.ListDef | Definition, home: Module, span: Span | None = None
) -> Occurrence:
    return Occurrence(span or name.span, kind, item.name.text, _real(home.path), item.name.span, home, item)


def _parameters(module: Module, item: nodes.FilterDef) -> Iterator[Occurrence]:
    if item.family is None:
        return
    name = item.family.parameter
    used = [atom.span for clause in clauses(item.match) for atom in atoms(clause) if isinstance(atom, nodes.Param)]
    spans = [name.span, *(Span(span.start + 1, span.end) for span in used)]
    for entry in item.metadata:
        if isinstance(entry, nodes.Text):
            inside = re.compile(rf"\${re.escape(name.text)}(?![A-Za-z0-9_])")
            matches = inside.finditer(module.source.text, entry.text.span.start, entry.text.span.end)
            spans += [Span(match.start() + 1, match.end()) for match in matches]
    for span in spans:
        yield Occurrence(span, "parameter", name.text, _real(module.path), name.span, module, item)


class _Inside:
    """The names inside one filter or pattern: of nodes, and of the lists and patterns they are tested with."""

    def __init__(self, module: Module, item: Definition, resolution: Resolution) -> None:
        self._module = module
        self._item = item
        self._resolution = resolution
        self._scopes: Scopes = resolution.scopes(item)
        self._blocks: dict[int, str] = {}  # the word of the block that a node belongs to, by the node's place
        self._heads: dict[int, Span] = {}  # parameters and counted nodes are introduced before their block

    def all(self) -> Iterator[Occurrence]:
        """Every one of them."""
        top = block_of(self._item)
        if isinstance(self._item, nodes.PatternDef):
            for name in self._item.parameters:
                self._introduce(name, top)
            yield from self._block(top, "pattern")
            yield from (self._node(name, top) for name in self._item.parameters)
        else:
            yield from self._block(top, "match")
            for name in (name for action in self._item.actions for name in action.target.nodes):
                if name.text in self._scopes.of(top).visible:
                    yield self._node(name, top)

    def _introduce(self, name: nodes.Name, block: nodes.Block) -> None:
        self._heads.setdefault(self._scopes.of(block).visible[name.text].span.start, name.span)

    def _block(self, block: nodes.Block, word: str) -> Iterator[Occurrence]:
        for owned in self._scopes.of(block).owned.values():
            self._blocks.setdefault(owned.span.start, word)
        for clause in block.clauses:
            own = {id(term.name): term for term in terms(clause)}
            if not isinstance(clause, nodes.Count):
                yield from (self._node(name, block, own.get(id(name))) for name in own_names(clause))
            yield from self._references(clause)
            through = isinstance(clause, nodes.Either) and word not in ("match", "pattern")
            inner_word = word if through else _word(clause)
            for inner in blocks_of(clause):
                counted = clause.node if isinstance(clause, nodes.Count) else None
                if counted and counted.name and counted.name.text in self._scopes.of(inner).owned:
                    self._introduce(counted.name, inner)
                yield from self._block(inner, inner_word)
                if counted and counted.name:
                    yield self._node(counted.name, inner, counted)

    def _node(self, name: nodes.Name, block: nodes.Block, term: nodes.NodeTerm | None = None) -> Occurrence:
        place = self._scopes.of(block).visible[name.text].span
        word = self._blocks.get(place.start, "")
        path, head = _real(self._module.path), self._heads.get(place.start, place)
        return Occurrence(name.span, "node", name.text, path, head, self._module, self._item, word, term)

    def _references(self, clause: nodes.Clause) -> Iterator[Occurrence]:
        if isinstance(clause, nodes.Call):
            pattern = self._resolution.pattern_of(clause)
            if pattern is not None:
                yield _of_item("pattern", clause.pattern, pattern.item, pattern.module)
        for test, _ in tests(clause):
            for part in simple(test):
                if isinstance(part, nodes.Member) and isinstance(part.values, nodes.ListRef):
                    found = self._resolution.list_of(part.values)
                    if found is not None:
                        span = Span(part.values.span.start + 1, part.values.span.end)
                        yield _of_item("list", found.item.name, found.item, found.module, span)


def _word(clause: nodes.Clause) -> str:
    match clause:
        case nodes.Without():
            return "without"
        case nodes.Either():
            return "either"
        case nodes.Count(quantifier=quantifier, number=number):
            return f"{quantifier} {number}"
        case _:
            return ""
