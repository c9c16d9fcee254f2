"""A condition as content, which names its result, and as words, which people read."""

from __future__ import annotations

from typing import Any

from runner.manifest.condition import Condition
from runner.steps.condition_filters import Filters
from runner.steps.resolve import Resolved


def removing(resolved: Resolved, name: str) -> tuple[str, Filters]:
    """How a condition chooses sentences by filters: `remove` or `keep`, and these."""
    condition = resolved.condition(name)
    key = "keep" if condition is not None and condition.keep else "remove"
    return key, resolved.filters_of(name, key)


def content(condition: Condition, resolved: Resolved) -> dict[str, Any]:
    """Plain JSON that decides the sentences of a condition, with the base corpus; filters stand there by meaning."""
    if condition.remove_random is None:
        key, filters = removing(resolved, condition.name)
        return {"do": key, "filters": _keys(filters)}
    key, filters = removing(resolved, condition.remove_random)
    found = {"do": "remove-random", "like": _keys(filters), "by": condition.by, "seed": condition.seed}
    return found | ({"kept": True} if key == "keep" else {}) | ({"disjoint": True} if condition.disjoint else {})


def _keys(filters: Filters) -> list[str]:
    return sorted({item.key for item in filters})


def kind(name: str, resolved: Resolved) -> str:
    """What a condition does, in the manifest's words; `full` where it does nothing."""
    condition = resolved.condition(name)
    if condition is None:
        return "full"
    return "remove-random" if condition.remove_random is not None else removing(resolved, name)[0]


def described(name: str, resolved: Resolved) -> str:
    """What a condition is, in a line: `without agr-pp-mod`."""
    condition = resolved.condition(name)
    if condition is None:
        return "everything"
    if condition.remove_random is None:
        key, filters = removing(resolved, name)
        names = ", ".join(dict.fromkeys(item.name for item in filters))
        return f"without {names}" if key == "remove" else f"only {names}"
    measure = "sentences of each length" if condition.by == "lengths" else condition.by
    other = ", and none of its sentences" if condition.disjoint else ""
    return f"at random, as many {measure} as {condition.remove_random} removes{other}"
