"""Walk a syntax tree, and rebuild the tree with a node replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import partial
from typing import Any, TypeAlias

from fictdsl.source import Span
from fictdsl.syntax import nodes

Rebuild: TypeAlias = Callable[[Any], Any]  # takes the new node, or NOTHING to remove the node; returns the tree

NOTHING = object()


def walk(
    value: Any, rebuild: Rebuild, rebuild_branch: Rebuild, positive: bool
) -> Iterator[tuple[Any, Rebuild, Rebuild, bool]]:
    """Yield every node of a tree, outermost first, with two rebuild functions and whether no negation encloses it.

    The first function keeps all other nodes. The second also reduces each `either` and `or` around the node to the
    branch that contains it. `rebuild`, `rebuild_branch` and `positive` belong to the root, `value`. `maybe` blocks are
    skipped, because they never decide whether a sentence matches.
    """
    if not is_dataclass(value) or isinstance(value, Span | nodes.RegexValue | nodes.Maybe):
        return
    yield value, rebuild, rebuild_branch, positive
    inner_positive = positive and not _negates(value)
    for field in fields(value):
        field_value = getattr(value, field.name)
        set_field = partial(_with_field, value, field.name)
        if not isinstance(field_value, tuple):
            yield from walk(
                field_value, _compose(set_field, rebuild), _compose(set_field, rebuild_branch), inner_positive
            )
            continue
        for index, item in enumerate(field_value):
            set_item = _compose(partial(replaced_at, field_value, index), set_field)
            set_only = _compose(_singleton, set_field) if isinstance(value, nodes.Either | nodes.Or) else set_item
            yield from walk(item, _compose(set_item, rebuild), _compose(set_only, rebuild_branch), inner_positive)


def identity(value: Any) -> Any:
    """Return the value itself: the rebuild function of the root."""
    return value


def _singleton(value: Any) -> tuple[Any, ...]:
    return (value,)


def _compose(first: Rebuild, second: Rebuild) -> Rebuild:
    return lambda value: second(first(value))


def _with_field(value: Any, name: str, new_value: Any) -> Any:
    return replace(value, **{name: new_value})


def replaced_at(items: tuple[Any, ...], index: int, new_item: Any) -> tuple[Any, ...]:
    """Return the items with the item at `index` replaced, or removed if `new_item` is NOTHING."""
    return (*items[:index], *(() if new_item is NOTHING else (new_item,)), *items[index + 1 :])


def _negates(value: object) -> bool:
    match value:
        case nodes.Without() | nodes.Not() | nodes.Compare(op="!=") | nodes.Member(negated=True):
            return True
        case nodes.Labels(negated=True) | nodes.Count(quantifier="at most" | "exactly"):
            return True
    return False
