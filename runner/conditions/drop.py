"""`drop = […]`: a corpus without the words that the actions of filters select."""

from __future__ import annotations

from runner.conditions.filtered import FilterEdit


class Drop(FilterEdit):
    key = "drop"
    usage = "drop = [FILTER, …]"
    doc = "without words, according to the filters' actions: `remove node(X)`"
    filter_lists = ("drop",)
    verb, participle = "remove", "dropped"


INTERVENTION = Drop()
