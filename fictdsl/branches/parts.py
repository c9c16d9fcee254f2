"""Enumerate the parts of a filter that an example can exercise, each with variants of the filter.

One variant lacks the part. If the part is an alternative, other variants have no alternative but this one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from fictdsl.branches.choices import choices, shorten
from fictdsl.branches.walk import identity, walk
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.program import Module

MAX_SITES = 16  # calls of one pattern that are considered separately

Variant: TypeAlias = tuple[Module, nodes.FilterDef]


@dataclass(frozen=True)
class Part:
    """A branch of an `either`, a side of an `or`, one of the values `a|b`, or a condition that is a block or a call.

    `kind` is branch, side, value, without, count or call. `removed` is the filter without this part. `isolated` has the
    variants in which the part is the only alternative, one for each call of the pattern that contains it. It is empty
    for conditions and under a negation, where removing a part makes the filter match more.
    """

    kind: str
    text: str
    source: Source
    span: Span
    removed: Variant
    isolated: tuple[Variant, ...]


def parts(module: Module, definition: nodes.FilterDef) -> list[Part]:
    """Return the parts of a filter in the order of the text, followed by those of the patterns that it calls."""
    by_span: dict[tuple[str, Span], Part] = {}
    sites: dict[tuple[str, str], int] = {}
    queue = [_filter_context(module, definition)]
    while queue:
        context = queue.pop(0)
        for part in context.parts():
            earlier = by_span.get((part.source.name, part.span))
            by_span[part.source.name, part.span] = (
                part if earlier is None else replace(earlier, isolated=earlier.isolated + part.isolated)
            )
        for called in context.calls():
            key = (called.home.source.name, called.name)
            sites[key] = sites.get(key, 0) + 1
            queue += [called] if sites[key] <= MAX_SITES else []
    return list(by_span.values())


@dataclass(frozen=True)
class _Context:
    """A block in its context: the block of the filter, or of the pattern `name` of the file `home`, for one call.

    `full` returns the filter with this block replaced. `narrow` does the same, and reduces every `either` and `or`
    around the call to the branch that contains the call. `full_home` and `narrow_home` replace the module `home`.
    `positive` is False under a negation.
    """

    home: Module
    name: str
    block: nodes.Block
    positive: bool
    full: Callable[[nodes.Block], Variant]
    narrow: Callable[[nodes.Block], Variant]
    full_home: Callable[[Module], Variant]
    narrow_home: Callable[[Module, nodes.Block], Variant]

    def parts(self) -> Iterator[Part]:
        """Yield the parts of this block."""
        for value, wide, narrow, positive in walk(self.block, identity, identity, self.positive):
            for kind, text, span, removed, isolated in choices(value, self.home.source):
                variants = (self.narrow(narrow(isolated)),) if positive and isolated is not None else ()
                yield Part(kind, shorten(text), self.home.source, span, self.full(wide(removed)), variants)

    def calls(self) -> Iterator[_Context]:
        """Yield the context of each pattern call in this block."""
        for value, _, narrow, positive in walk(self.block, identity, identity, self.positive):
            if isinstance(value, nodes.Call):
                yield self._called(value.pattern.text, narrow(value), positive)

    def _called(self, name: str, narrowed: nodes.Block, positive: bool) -> _Context:
        def narrowed_home(new: Module) -> Variant:
            return self.narrow_home(new, narrowed)

        for path, home in ((None, self.home), *self.home.uses.items()):
            for item in home.file.items:
                if isinstance(item, nodes.PatternDef) and item.name.text == name:
                    full, narrow = (
                        rebuild if path is None else partial(_with_use, self.home, path, rebuild)
                        for rebuild in (self.full_home, narrowed_home)
                    )
                    return _pattern_context(home, item, positive, full, narrow)
        raise AssertionError(f"unresolved pattern {name}")


def _filter_context(module: Module, definition: nodes.FilterDef) -> _Context:
    def with_block(new: nodes.Block) -> Variant:
        return module, replace(definition, match=new)

    def with_both(new: Module, block: nodes.Block) -> Variant:
        return new, replace(definition, match=block)

    def with_home(new: Module) -> Variant:
        return new, definition

    return _Context(module, "", definition.match, True, with_block, with_block, with_home, with_both)


def _pattern_context(
    home: Module,
    pattern: nodes.PatternDef,
    positive: bool,
    full: Callable[[Module], Variant],
    narrow: Callable[[Module], Variant],
) -> _Context:
    name = pattern.name.text
    return _Context(
        home,
        name,
        pattern.block,
        positive,
        lambda new: full(_with_block(home, name, new)),
        lambda new: narrow(_with_block(home, name, new)),
        full,
        lambda new, block: narrow(_with_block(new, name, block)),
    )


def _with_block(module: Module, name: str, block: nodes.Block) -> Module:
    items = tuple(
        replace(item, block=block) if isinstance(item, nodes.PatternDef) and item.name.text == name else item
        for item in module.file.items
    )
    return replace(module, file=replace(module.file, items=items))


def _with_use(module: Module, path: str, rebuild: Callable[[Module], Variant], new: Module) -> Variant:
    return rebuild(replace(module, uses={**module.uses, path: new}))
