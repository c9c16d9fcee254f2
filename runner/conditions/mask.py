"""`mask = […]`: strings or tags in place of the words that the actions of filters select."""

from __future__ import annotations

from collections.abc import Mapping, Set

from runner.conditions.condition import Condition
from runner.conditions.filtered import FilterEdit


class Mask(FilterEdit):
    key = "mask"
    usage = "mask = [FILTER, …]"
    doc = 'with strings or tags in place of words, according to the filters\' actions: `mask subtree(X) with "<gap>"`'
    filter_lists = ("mask",)
    verb, participle = "mask", "masked"

    def added_tokens(self, condition: Condition) -> Mapping[str, Set[str]]:
        actions = [action for filter_ in condition.filters_of(self.key) for action in filter_.ir.actions]
        return {
            "masks": {action.replacement for action in actions if action.replacement is not None},
            "tags": {action.tag for action in actions if action.tag is not None},
        }


INTERVENTION = Mask()
