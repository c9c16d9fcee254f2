"""A syntax tree into its parts, each with the way back to a whole that has something else in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import partial
from typing import Any, TypeAlias

from fictdsl.source import Span
from fictdsl.syntax import nodes

Rebuild: TypeAlias = Callable[[Any], Any]  # a block with something else, or nothing, in the place of a part

NOTHING = object()


def walk(value: Any, wide: Rebuild, narrow: Rebuild, plain: bool) -> Iterator[tuple[Any, Rebuild, Rebuild, bool]]:
    """Every part of a tree, outermost first, with two ways back to the whole, and whether no negation is around it."""
    if not is_dataclass(value) or isinstance(value, Span | nodes.RegexValue):
        return
    yield value, wide, narrow, plain
    inside = plain and not _negates(value)
    for entry in fields(value):
        held = getattr(value, entry.name)
        put = partial(_with_field, value, entry.name)
        if not isinstance(held, tuple):
            yield from walk(held, _then(put, wide), _then(put, narrow), inside)
            continue
        for place, item in enumerate(held):
            other = _then(partial(changed, held, place), put)
            only = _then(_alone, put) if isinstance(value, nodes.Either | nodes.Or) else other
            yield from walk(item, _then(other, wide), _then(only, narrow), inside)


def same(value: Any) -> Any:
    """The way back to a whole from itself."""
    return value


def _alone(value: Any) -> tuple[Any, ...]:
    return (value,)


def _then(first: Rebuild, second: Rebuild) -> Rebuild:
    return lambda value: second(first(value))


def _with_field(value: Any, name: str, new: Any) -> Any:
    return replace(value, **{name: new})


def changed(items: tuple[Any, ...], place: int, new: Any) -> tuple[Any, ...]:
    """The items with another in one place, or with none there."""
    return (*items[:place], *(() if new is NOTHING else (new,)), *items[place + 1 :])


def _negates(value: object) -> bool:
    match value:
        case nodes.Without() | nodes.Not() | nodes.Compare(op="!=") | nodes.Member(negated=True):
            return True
        case nodes.Labels(negated=True) | nodes.Count(quantifier="at most" | "exactly"):
            return True
    return False
