"""Find the filters of conditions that match nothing, before anything is trained on their corpora."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow.parquet as pq

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.filter_arguments import lint_command
from runner.corpus.matches import match_parts
from runner.corpus.store import Store
from runner.execute.records.cache import Cache
from runner.interventions.registry import FILTER_LISTS, REWRITE_LISTS
from runner.steps.checks.warning import RunWarning
from runner.steps.plan import Plan

EDITS = "edits.parquet"  # of a step that edits a condition's sentences: one row for each edited sentence


@dataclass(frozen=True, slots=True)
class EmptyFilter:
    """A filter that matches no sentence of the base corpus. The condition at `index` has it under `key`."""

    compiled: CompiledFilter
    condition: str
    index: int
    key: str
    allowed: bool

    @property
    def kind(self) -> str:
        """Whether it is a filter or a rewrite."""
        return "rewrite" if self.key in REWRITE_LISTS else "filter"

    def problem(self, plan: Plan, cache: Cache) -> Diagnostic:
        """Return FICT614, which stops the run."""
        files = plan.resolved.files.get("train", ())
        corpus = files[0][1] if len(files) == 1 else cache.folder(plan.stores["train"]) / "store"
        hint = (
            f"find the mistake with `{lint_command(self.compiled, corpus)}` or with `fictc show --near-miss`; "
            "if no match is expected, set `allow-empty = true` in the condition"
        )
        path: tuple[str | int, ...] = ("condition", self.index, *self.key.split("."))
        return plan.resolved.draft.problem("FICT614", *path, hint=hint, kind=self.kind, filter=self.compiled.name)

    @property
    def warning(self) -> RunWarning:
        """The warning that the commands print and the report shows."""
        text = f"{self.kind} {self.compiled.name} matches no sentence of the training corpus"
        return RunWarning("empty-filter", f"condition {self.condition}", text)


def empty_filters(plan: Plan, store: Store, is_empty: Callable[[CompiledFilter], bool]) -> list[EmptyFilter]:
    """Return the filters that match nothing in the base corpus, in the order of the conditions.

    `allow-empty` in a condition allows all of them, and `allow-missing` those that test a feature that no word has.
    """
    return [
        EmptyFilter(compiled, condition.name, index, key, allowed)
        for index, condition in enumerate(plan.resolved.manifest.condition)
        for key in FILTER_LISTS
        for compiled in plan.resolved.filters_of(condition.name, key)
        if is_empty(compiled)
        for lacks_feature in [not set(compiled.features) <= store.info.features.keys()]
        for allowed in [condition.values["allow-empty"] or (condition.values["allow-missing"] and lacks_feature)]
    ]


def unchanged_conditions(plan: Plan, cache: Cache) -> list[RunWarning]:
    """Return a warning for each condition whose rewrites change no sentence, unless it has `allow-empty`."""
    text = "its rewrites change no sentence, so its training corpus is the same as without them"
    return [
        RunWarning("unchanged", f"condition {condition.name}", text)
        for condition in plan.resolved.manifest.condition
        if condition.values["rewrite"] and not condition.values["allow-empty"]
        for step in [plan.edits.get(plan.corpora_of(condition.name)[0].name)]
        if step is not None and not pq.read_metadata(cache.folder(step) / EDITS).num_rows
    ]


def empty_in_cache(plan: Plan, cache: Cache) -> list[EmptyFilter]:
    """Return the filters that match nothing, or none if the base corpus is not in the cache.

    A filter whose matches are not in the cache is run until its first match.
    """
    if not cache.has(plan.stores["train"]):
        return []
    store = Store.open(cache.folder(plan.stores["train"]) / "store")
    is_empty_by_key: dict[str, bool] = {}

    def is_empty(compiled: CompiledFilter) -> bool:
        if compiled.key not in is_empty_by_key:
            step = plan.matches[compiled.key]
            is_empty_by_key[compiled.key] = (
                not len(np.load(cache.folder(step) / "sids.npy"))
                if cache.has(step)
                else not any(part.num_rows for part in match_parts(store, compiled))
            )
        return is_empty_by_key[compiled.key]

    return empty_filters(plan, store, is_empty)
