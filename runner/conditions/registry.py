"""All interventions, in the order in which they are applied."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from runner.conditions import KEYS
from runner.conditions.intervention import Intervention, Key

INTERVENTIONS: tuple[Intervention[Any], ...] = tuple(
    import_module(f"runner.conditions.{key.replace('-', '_')}").INTERVENTION for key in KEYS
)
BY_KEY: Mapping[str, Intervention[Any]] = {intervention.key: intervention for intervention in INTERVENTIONS}
OPTIONS: Mapping[str, Key] = {name: key for intervention in INTERVENTIONS for name, key in intervention.options.items()}
FILTER_LISTS = tuple(key for intervention in INTERVENTIONS for key in intervention.filter_lists)
REWRITE_LISTS = tuple(key for intervention in INTERVENTIONS for key in intervention.rewrite_lists)
TEXT_FILTER_LISTS = tuple(key for intervention in INTERVENTIONS for key in intervention.text_filter_lists)
TEXT_LISTS = tuple(key for intervention in INTERVENTIONS for key in intervention.text_lists)
RESULTS = tuple(name for intervention in INTERVENTIONS for name in intervention.results)


def active_interventions(values: Mapping[str, Any]) -> list[Intervention[Any]]:
    return [intervention for intervention in INTERVENTIONS if values.get(intervention.key)]
