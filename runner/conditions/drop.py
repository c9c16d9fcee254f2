"""`drop = […]`: a corpus without the words that the actions of filters select."""

from __future__ import annotations

from runner.conditions.condition import Condition
from runner.conditions.filtered import FilterEdit
from runner.conditions.shares import share_description


class Drop(FilterEdit):
    key = "drop"
    usage = "drop = [FILTER, …]"
    doc = "without words, according to the filters' actions: `remove node(X)`"
    filter_lists = ("drop",)
    verb = "remove"

    def describe(self, condition: Condition) -> str:
        return f"words dropped by {condition.filter_names(self.key)}{share_description(condition)}"


INTERVENTION = Drop()
