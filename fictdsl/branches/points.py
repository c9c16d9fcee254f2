"""A filter into the parts that an example can exercise, each with the filter without it, and with it alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from fictdsl.branches.choices import choices, short
from fictdsl.branches.walk import same, walk
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.program import Module

MAX_SITES = 16  # calls of one pattern that are looked at, each for itself

Variant: TypeAlias = tuple[Module, nodes.FilterDef]


@dataclass(frozen=True)
class Part:
    """A branch of an `either`, a side of an `or`, one of the values `a|b`, or a condition that is a block or a call.

    `kind` is branch, side, value, without, count or call. `alone` are filters that match through this part only, one
    for each call of the pattern it stands in; none for conditions, nor under a negation, where less matches more.
    """

    kind: str
    text: str
    source: Source
    span: Span
    removed: Variant
    alone: tuple[Variant, ...]


def parts(module: Module, definition: nodes.FilterDef) -> list[Part]:
    """The parts of a filter in the order they are written, then those of the patterns that it calls."""
    found: dict[tuple[str, Span], Part] = {}
    sites: dict[tuple[str, str], int] = {}
    waiting = [_whole(module, definition)]
    while waiting:
        place = waiting.pop(0)
        for part in place.parts():
            before = found.get((part.source.name, part.span))
            found[part.source.name, part.span] = (
                part if before is None else replace(before, alone=before.alone + part.alone)
            )
        for called in place.calls():
            key = (called.home.source.name, called.name)
            sites[key] = sites.get(key, 0) + 1
            waiting += [called] if sites[key] <= MAX_SITES else []
    return list(found.values())


@dataclass(frozen=True)
class _Place:
    """A block where it stands: the filter's, or that of a pattern `name` of the file `home` as one call uses it.

    `full` makes the filter of another block here; `narrow` too, and there every `either` and `or` around the call has
    only the branch in which it stands. `full_home` and `narrow_home` make it of another `home`.
    """

    home: Module
    name: str
    block: nodes.Block
    plain: bool
    full: Callable[[nodes.Block], Variant]
    narrow: Callable[[nodes.Block], Variant]
    full_home: Callable[[Module], Variant]
    narrow_home: Callable[[Module, nodes.Block], Variant]

    def parts(self) -> Iterator[Part]:
        """The parts of this block."""
        for value, wide, narrow, plain in walk(self.block, same, same, self.plain):
            for kind, text, span, without, alone in choices(value, self.home.source):
                only = (self.narrow(narrow(alone)),) if plain and alone is not None else ()
                yield Part(kind, short(text), self.home.source, span, self.full(wide(without)), only)

    def calls(self) -> Iterator[_Place]:
        """The patterns called in this block, each call for itself."""
        for value, _, narrow, plain in walk(self.block, same, same, self.plain):
            if isinstance(value, nodes.Call):
                yield self._called(value.pattern.text, narrow(value), plain)

    def _called(self, name: str, narrowed: nodes.Block, plain: bool) -> _Place:
        def here(new: Module) -> Variant:
            return self.narrow_home(new, narrowed)

        for path, home in ((None, self.home), *self.home.uses.items()):
            for item in home.file.items:
                if isinstance(item, nodes.PatternDef) and item.name.text == name:
                    full, slim = (
                        back if path is None else partial(_with_use, self.home, path, back)
                        for back in (self.full_home, here)
                    )
                    return _pattern(home, item, plain, full, slim)
        raise AssertionError(f"unresolved pattern {name}")


def _whole(module: Module, definition: nodes.FilterDef) -> _Place:
    def with_block(new: nodes.Block) -> Variant:
        return module, replace(definition, match=new)

    def with_both(new: Module, block: nodes.Block) -> Variant:
        return new, replace(definition, match=block)

    return _Place(module, "", definition.match, True, with_block, with_block, lambda new: (new, definition), with_both)


def _pattern(
    home: Module,
    pattern: nodes.PatternDef,
    plain: bool,
    full: Callable[[Module], Variant],
    slim: Callable[[Module], Variant],
) -> _Place:
    name = pattern.name.text
    return _Place(
        home,
        name,
        pattern.block,
        plain,
        lambda new: full(_with_block(home, name, new)),
        lambda new: slim(_with_block(home, name, new)),
        full,
        lambda new, block: slim(_with_block(new, name, block)),
    )


def _with_block(module: Module, name: str, block: nodes.Block) -> Module:
    items = tuple(
        replace(item, block=block) if isinstance(item, nodes.PatternDef) and item.name.text == name else item
        for item in module.file.items
    )
    return replace(module, file=replace(module.file, items=items))


def _with_use(place: Module, path: str, back: Callable[[Module], Variant], new: Module) -> Variant:
    return back(replace(place, uses={**place.uses, path: new}))
