"""What interventions by filters share: sentences that filters match, and words that their actions change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from runner.conditions.condition import BaseCorpus, Condition, Filters
from runner.conditions.intervention import Selection, WordEdit, filter_list
from runner.conditions.shares import (
    OPTIONS,
    affected_sentences,
    has_share,
    share_content,
    share_description,
    share_problems,
)

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from runner.conditions.edits import Edit
    from runner.corpus.store import Store


FILTER_EDITS = ("mask", "drop")  # a condition may combine these edits


def unsuitable_action(compiled: CompiledFilter, verb: str) -> str | None:
    """Return the first action but `count` that is not `verb` on words, or None if there are some and all are."""
    actions = [
        (action, text)
        for action, text in zip(compiled.ir.actions, compiled.actions, strict=True)
        if action.verb != "count"
    ]
    unsuitable = [text for action, text in actions if action.verb != verb or action.target == "sentence"]
    return None if actions and not unsuitable else (unsuitable or list(compiled.actions))[0]


class FilterSelection(Selection[tuple[str, ...]]):
    value = filter_list()

    def filters(self, condition: Condition) -> Filters:
        return condition.filters_of(self.key)

    def content(self, condition: Condition) -> dict[str, Any]:
        filters = condition.filter_keys(self.key)
        return {"do": self.key, "filters": filters} if filters else {"do": "nothing"}


class FilterEdit(WordEdit[tuple[str, ...]]):
    value = filter_list()
    options = OPTIONS
    verb: ClassVar[str]
    participle: ClassVar[str]  # for the description

    @property
    def group(self) -> str:
        return "filters"

    def check(self, condition: Condition) -> Iterator[Diagnostic]:
        yield from share_problems(condition, self.key, condition.filters.get(self.key, ()))
        for filter_ in condition.filters.get(self.key, ()):
            action = unsuitable_action(filter_, self.verb)
            if action is not None:
                hint = f"a filter for {self.key} has the action `{self.verb} node(X)`, `{self.verb} subtree(X)`"
                hint += f" or `{self.verb} span(X, Y)`"
                parameters = {"filter": filter_.name, "action": action, "key": self.key}
                yield condition.problem("FICT641", self.key, hint=hint, **parameters)

    def content(self, condition: Condition) -> dict[str, Any]:
        keys = condition.filter_keys(*FILTER_EDITS)
        share = share_content(condition, condition.filters_of(*FILTER_EDITS))
        return ({"filters": keys} if keys else {}) | ({"share": share} if share else {})

    def describe(self, condition: Condition) -> str:
        return f"words {self.participle} by {condition.filter_names(self.key)}{share_description(condition)}"

    def edits(self, condition: Condition, store: Store, base: BaseCorpus, folder: Path | None) -> Iterator[Edit]:
        from runner.conditions.edits import edits_of_filters

        filters = condition.filters_of(*FILTER_EDITS)
        return edits_of_filters(
            store, filters, affected_sentences(condition, filters, base) if has_share(condition) else None
        )
