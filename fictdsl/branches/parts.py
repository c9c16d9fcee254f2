"""Enumerate the parts of a filter that an example can exercise, each with variants of the filter.

One variant lacks the part. If the part is an alternative, other variants lack all other alternatives.
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

_MAX_CALLS = 16  # calls of one pattern that are considered; further calls are ignored

Variant: TypeAlias = tuple[Module, nodes.FilterDef]


@dataclass(frozen=True)
class Part:
    """A branch of `either`, a side of `or`, a value of `a|b`, or a condition (`without`, a counting block or a call).

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
    call_counts: dict[tuple[str, str], int] = {}
    queue = [_filter_context(module, definition)]
    while queue:
        context = queue.pop(0)
        for part in context.parts():
            existing = by_span.get((part.source.name, part.span))
            by_span[part.source.name, part.span] = (
                part if existing is None else replace(existing, isolated=existing.isolated + part.isolated)
            )
        for callee in context.calls():
            key = (callee.home.source.name, callee.name)
            call_counts[key] = call_counts.get(key, 0) + 1
            queue += [callee] if call_counts[key] <= _MAX_CALLS else []
    return list(by_span.values())


@dataclass(frozen=True)
class _Context:
    """A block with its context: the block of the filter, or for one call, the block of the pattern `name` in `home`.

    `variant` returns the filter with this block replaced, and `home_variant` with the module `home` replaced.
    `narrowed_variant` also reduces every `either` and `or` around the call to the branch that contains the call.
    `narrowed_home_variant` also does so, and replaces both the module and the block. `positive` is False under a
    negation.
    """

    home: Module
    name: str
    block: nodes.Block
    positive: bool
    variant: Callable[[nodes.Block], Variant]
    narrowed_variant: Callable[[nodes.Block], Variant]
    home_variant: Callable[[Module], Variant]
    narrowed_home_variant: Callable[[Module, nodes.Block], Variant]

    def parts(self) -> Iterator[Part]:
        """Yield the parts of this block."""
        for node, rebuild, rebuild_branch, positive in walk(self.block, identity, identity, self.positive):
            for kind, text, span, removed, isolated in choices(node, self.home.source):
                variants = (
                    (self.narrowed_variant(rebuild_branch(isolated)),) if positive and isolated is not None else ()
                )
                yield Part(kind, shorten(text), self.home.source, span, self.variant(rebuild(removed)), variants)

    def calls(self) -> Iterator[_Context]:
        """Yield the context of each pattern call in this block."""
        for node, _, rebuild_branch, positive in walk(self.block, identity, identity, self.positive):
            if isinstance(node, nodes.Call):
                yield self._callee(node.pattern.text, rebuild_branch(node), positive)

    def _callee(self, name: str, narrowed_block: nodes.Block, positive: bool) -> _Context:
        def with_narrowed_block(new_home: Module) -> Variant:
            return self.narrowed_home_variant(new_home, narrowed_block)

        for path, home in ((None, self.home), *self.home.uses.items()):
            for item in home.file.items:
                if isinstance(item, nodes.PatternDef) and item.name.text == name:
                    home_variant, narrowed_home_variant = (
                        rebuild if path is None else partial(_with_use, self.home, path, rebuild)
                        for rebuild in (self.home_variant, with_narrowed_block)
                    )
                    return _pattern_context(home, item, positive, home_variant, narrowed_home_variant)
        raise AssertionError(f"unresolved pattern {name}")


def _filter_context(module: Module, definition: nodes.FilterDef) -> _Context:
    def with_block(block: nodes.Block) -> Variant:
        return module, replace(definition, match=block)

    def with_home_and_block(new_home: Module, block: nodes.Block) -> Variant:
        return new_home, replace(definition, match=block)

    def with_home(new_home: Module) -> Variant:
        return new_home, definition

    return _Context(module, "", definition.match, True, with_block, with_block, with_home, with_home_and_block)


def _pattern_context(
    home: Module,
    pattern: nodes.PatternDef,
    positive: bool,
    home_variant: Callable[[Module], Variant],
    narrowed_home_variant: Callable[[Module], Variant],
) -> _Context:
    name = pattern.name.text
    return _Context(
        home,
        name,
        pattern.block,
        positive,
        lambda new_block: home_variant(_with_block(home, name, new_block)),
        lambda new_block: narrowed_home_variant(_with_block(home, name, new_block)),
        home_variant,
        lambda new_home, block: narrowed_home_variant(_with_block(new_home, name, block)),
    )


def _with_block(module: Module, name: str, block: nodes.Block) -> Module:
    items = tuple(
        replace(item, block=block) if isinstance(item, nodes.PatternDef) and item.name.text == name else item
        for item in module.file.items
    )
    return replace(module, file=replace(module.file, items=items))


def _with_use(module: Module, path: str, rebuild: Callable[[Module], Variant], used_module: Module) -> Variant:
    """Return the variant in which `used_module` replaces the module that `path` names, wherever a file uses it."""
    root, definition = rebuild(replace(module, uses={**module.uses, path: used_module}))
    return _with_module(root, module.uses[path], used_module), definition


def _with_module(module: Module, old: Module, new: Module) -> Module:
    if module is old:
        return new
    uses = {path: _with_module(used, old, new) for path, used in module.uses.items()}
    return replace(module, uses=uses) if any(uses[path] is not module.uses[path] for path in uses) else module
