"""Arrange the sentences of a condition in stages, and inject text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.sentences.arrays import Sentences, read_values
from runner.corpus.sentences.common_size import Indices, sentence_ranks
from runner.corpus.store.opening import Store
from runner.errors import InputError
from runner.intervene.inject import LongError, apply_injection, plan_injection
from runner.intervene.inserts import read_units
from runner.intervene.order import REST, balance_stages, order_by_stage, stages_by_filters, stages_by_values
from runner.intervene.remove_random import ShortError
from runner.manifest.condition import Balance, Condition, Inject, Order
from runner.model.tokenizer import Split, split_words
from runner.steps.condition_filters import stage_names
from runner.steps.interventions import injection, stage_filters
from runner.steps.plan import Plan

STAGES = "stages.json"  # the name and the first line of each stage of an order


@dataclass(frozen=True)
class Scheduled:
    """A training corpus: the sentence id of each line (−k − 1 for line k of an injected text), the lines, and counts.

    `replaced` are the sentences that injected lines replaced; `stages` are the first lines of the stages of an order.
    """

    sids: Indices
    lines: list[str]
    replaced: Indices
    stats: dict[str, float] = field(default_factory=dict)
    stages: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Scheduler:
    """Schedules conditions of a plan. `matched` returns the sentences that a filter matches, by its key."""

    plan: Plan
    store: Store
    base: Sentences
    matched: Callable[[str], Indices]

    def schedule(self, name: str, sids: Indices, lines: list[str], words: Indices, units: Path | None) -> Scheduled:
        """Return the lines of a condition in order, with injected lines from the file `units`.

        `words` is the number of words of each sentence after edits, (sentences,) like `sids` and `lines`.
        """
        condition = self.plan.resolved.condition(name)
        if condition is None:
            return Scheduled(sids, lines, sids[:0])
        stages: tuple[tuple[str, int], ...] = ()
        if condition.levels is not None:
            order, stages = self._ordered(condition, condition.levels, sids, words)
            sids, lines = sids[order], [lines[index] for index in order.tolist()]
        settings = injection(condition, self.plan.resolved)
        if settings is None or units is None:
            return Scheduled(sids, lines, sids[:0], stages=stages)
        injected = self._injected(condition, settings, sids, lines, units)
        return replace(injected, stages=_shifted(stages, sids, injected.sids))

    def stages(self, condition: Condition, sids: Indices) -> list[tuple[str, Indices]]:
        """Return the stages of a condition's sentences in reading order, then the sentences in no stage."""
        assert condition.levels is not None
        stage, names = self._stages(condition, condition.levels, sids)
        stages = [(name, sids[stage == number]) for number, name in enumerate(names)]
        reverse = isinstance(condition.levels, Order) and condition.levels.reverse
        rest = sids[stage == REST]
        return [*(reversed(stages) if reverse else stages), *([("in no stage", rest)] if len(rest) else [])]

    def _ordered(
        self, condition: Condition, levels: Order | Balance, sids: Indices, words: Indices
    ) -> tuple[Indices, tuple[tuple[str, int], ...]]:
        """Return the indices of sentences in order, and the first line of each stage of an order."""
        stage, names = self._stages(condition, levels, sids)
        empty = next((name for number, name in enumerate(names) if not (stage == number).any()), None)
        empty = empty if names else levels.key
        if empty is not None:
            raise InputError(
                self._problem("FICT644", condition, condition.schedule_key, stage=empty, condition=condition.name)
            )
        selected = np.arange(len(sids))
        if levels.balanced_by is not None:
            ranks = sentence_ranks(f"balance:{levels.seed}", self.base.sources, self.base.numbers)[sids]
            sizes = words if levels.balanced_by == "tokens" else np.ones(len(sids), dtype=np.int64)
            selected = np.union1d(
                balance_stages(stage, sizes, ranks, _groups(levels, names)), np.flatnonzero(stage == REST)
            )
        if isinstance(levels, Order):
            if levels.shuffle:
                ranks = sentence_ranks(f"order:{levels.seed}", self.base.sources, self.base.numbers)[sids[selected]]
                selected = selected[np.argsort(ranks, kind="stable")]
            order = selected[order_by_stage(stage[selected], len(names), levels.rest, reverse=levels.reverse)]
            firsts = [(name, int(np.argmax(stage[order] == number))) for number, name in enumerate(names)]
            return order, tuple(sorted(firsts, key=lambda entry: entry[1]))
        return (selected if levels.rest == "keep" else selected[stage[selected] != REST]), ()

    def _stages(self, condition: Condition, levels: Order | Balance, sids: Indices) -> tuple[Indices, list[str]]:
        """Return the stage of each sentence, and the names of the stages."""
        filters = stage_filters(condition, self.plan.resolved)
        if not filters:
            values = read_values(self.store, str(levels.key))
            sentence_values = [values[sid] for sid in sids.tolist()]
            names = list(levels.stages) or sorted({value for value in sentence_values if value is not None})
            return stages_by_values(sentence_values, names), names
        names = list(levels.stages) or [item.name for item in filters]
        indices = {item.name: index for index, item in enumerate(filters)}
        stages = [{indices[name] for name in stage_names(stage)} for stage in names]
        return stages_by_filters(sids, [self.matched(item.key) for item in filters], stages), names

    def _injected(
        self, condition: Condition, settings: Inject, sids: Indices, lines: list[str], units: Path
    ) -> Scheduled:
        split = self.plan.resolved.manifest.tokenizer.split
        texts, firsts, targets = read_units(units)
        sums = np.concatenate([[0], np.cumsum(_tokens(texts, split))])
        try:
            replaces = settings.mode == "replace"
            planned = plan_injection(
                _tokens(lines, split), np.diff(sums[firsts]), settings.fraction or 0.0, replace=replaces
            )
        except ShortError as short:
            parameters: dict[str, Any] = {
                "condition": condition.name,
                "wanted": short.requested,
                "found": short.available,
            }
            raise InputError(self._problem("FICT643", condition, "inject", **parameters)) from short
        except LongError as long:
            parameters = {
                "condition": condition.name,
                "wanted": long.requested,
                "found": long.length,
                "unit": settings.unit,
            }
            raise InputError(self._problem("FICT654", condition, "inject", **parameters)) from long
        result, replaced = apply_injection(sids, planned, np.array(firsts))
        line_of = dict(zip(sids.tolist(), lines, strict=True))
        stats = {
            "asked_tokens": round(planned.requested, 1),
            "injected_tokens": planned.injected,
            "injected_units": len(planned.starts),
            "injected_sentences": int((result < 0).sum()),
            "injected_targets": sum(targets[: firsts[len(planned.starts)]]),
            "replaced_tokens": planned.replaced,
            "replaced_sentences": len(replaced),
        }
        result_lines = [line_of[sid] if sid >= 0 else texts[~sid] for sid in result.tolist()]
        return Scheduled(result, result_lines, replaced, stats)

    def _problem(self, code: str, table: Condition, *keys: str, **parameters: Any) -> Diagnostic:
        index = self.plan.resolved.manifest.condition.index(table)
        return self.plan.resolved.draft.problem(code, "condition", index, *keys, **parameters)


def _shifted(stages: tuple[tuple[str, int], ...], before: Indices, after: Indices) -> tuple[tuple[str, int], ...]:
    """Return the first lines of stages after injection: those of the first remaining sentence of each stage."""
    indices = {sid: index for index, sid in enumerate(before.tolist())}
    reached = np.maximum.accumulate([indices.get(sid, -1) for sid in after.tolist()])
    return tuple((name, int(np.searchsorted(reached, first))) for name, first in stages)


def _groups(levels: Order | Balance, names: list[str]) -> list[list[int]]:
    """Return the groups of stages that balancing makes equal: those of each level, or all."""
    if not levels.levels:
        return [list(range(len(names)))]
    return [[names.index(stage) for stage in level] for level in levels.levels]


def _tokens(lines: list[str], split: Split) -> Indices:
    return np.array([len(split_words(line, split)) for line in lines], dtype=np.int64)
