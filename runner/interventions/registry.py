"""All interventions, in the order in which they are applied."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

from runner.interventions.intervention import Intervention, Key

KINDS = (  # the modules of `runner.interventions.kinds`; each has its `INTERVENTION`
    "remove",
    "keep",
    "remove_random",
    "mask",
    "drop",
    "mask_random",
    "drop_random",
    "rewrite",
    "rewrite_random",
    "substitute",
    "perturb",
    "order",
    "balance",
    "inject",
)
INTERVENTIONS: tuple[Intervention[Any], ...] = tuple(
    import_module(f"runner.interventions.kinds.{name}").INTERVENTION for name in KINDS
)
BY_KEY: Mapping[str, Intervention[Any]] = {item.key: item for item in INTERVENTIONS}
OPTIONS: Mapping[str, Key] = {name: key for item in INTERVENTIONS for name, key in item.options.items()}
FILTER_LISTS = tuple(key for item in INTERVENTIONS for key in item.filter_lists)
REWRITE_LISTS = tuple(key for item in INTERVENTIONS for key in item.rewrite_lists)
TEXT_FILTER_LISTS = tuple(key for item in INTERVENTIONS for key in item.text_filter_lists)
TEXT_LISTS = tuple(key for item in INTERVENTIONS for key in item.text_lists)
RESULTS = tuple(name for item in INTERVENTIONS for name in item.results)


def active(values: Mapping[str, Any]) -> list[Intervention[Any]]:
    """Return the interventions of a condition with these values of its keys, in the order of application."""
    return [item for item in INTERVENTIONS if values.get(item.key)]


def enumeration(keys: Iterable[str]) -> str:
    """Join keys for a message, such as `remove, keep and inject`."""
    *first, last = keys
    return ", ".join(first) + f" and {last}" if first else last
