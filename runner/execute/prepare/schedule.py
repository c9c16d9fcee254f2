"""The sentences of a condition into the lines that training reads: with what is injected, in their order."""

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

STAGES = "stages.json"  # the name and the first line of each stage of an order, in a corpus


@dataclass(frozen=True)
class Scheduled:
    """A training corpus: the sentence of each line (−k − 1 for line k of an injected text), the lines, and counts.

    `replaced` are the sentences that gave way to what is injected, `stages` the first line of each stage of an order.
    """

    sids: Indices
    lines: list[str]
    replaced: Indices
    stats: dict[str, float] = field(default_factory=dict)
    stages: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Scheduler:
    """What a schedule is made from: the plan, the base corpus, and the sentences that a filter matches, by its key."""

    plan: Plan
    store: Store
    base: Sentences
    matched: Callable[[str], Indices]

    def schedule(self, name: str, sids: Indices, lines: list[str], words: Indices, units: Path | None) -> Scheduled:
        """The sentences of a condition in its order, with what it injects from the table `units`.

        `words` are how many of each sentence's words edits left, (sentences,) as `sids` and `lines`.
        """
        condition = self.plan.resolved.condition(name)
        if condition is None:
            return Scheduled(sids, lines, sids[:0])
        stages: tuple[tuple[str, int], ...] = ()
        if condition.levels is not None:
            places, stages = self._ordered(condition, condition.levels, sids, words)
            sids, lines = sids[places], [lines[place] for place in places.tolist()]
        wanted = injection(condition, self.plan.resolved)
        if wanted is None or units is None:
            return Scheduled(sids, lines, sids[:0], stages=stages)
        made = self._injected(condition, wanted, sids, lines, units)
        return replace(made, stages=_shifted(stages, sids, made.sids))

    def stages(self, condition: Condition, sids: Indices) -> list[tuple[str, Indices]]:
        """The stages of a condition's sentences, in the order in which they are read, and what is in none."""
        assert condition.levels is not None
        stage, names = self._stages(condition, condition.levels, sids)
        found = [(name, sids[stage == place]) for place, name in enumerate(names)]
        reverse = isinstance(condition.levels, Order) and condition.levels.reverse
        rest = sids[stage == REST]
        return [*(reversed(found) if reverse else found), *([("in no stage", rest)] if len(rest) else [])]

    def _ordered(
        self, condition: Condition, levels: Order | Balance, sids: Indices, words: Indices
    ) -> tuple[Indices, tuple[tuple[str, int], ...]]:
        """The places of the sentences in their order, and of an order's stages where each begins."""
        stage, names = self._stages(condition, levels, sids)
        empty = next((text for place, text in enumerate(names) if not (stage == place).any()), None)
        empty = empty if names else levels.key
        if empty is not None:
            raise InputError(
                self._problem("FICT644", condition, condition.schedule_key, stage=empty, condition=condition.name)
            )
        kept = np.arange(len(sids))
        if levels.balanced_by is not None:
            ranks = sentence_ranks(f"balance:{levels.seed}", self.base.sources, self.base.numbers)[sids]
            sizes = words if levels.balanced_by == "tokens" else np.ones(len(sids), dtype=np.int64)
            kept = np.union1d(
                balance_stages(stage, sizes, ranks, _groups(levels, names)), np.flatnonzero(stage == REST)
            )
        if isinstance(levels, Order):
            if levels.shuffle:
                ranks = sentence_ranks(f"order:{levels.seed}", self.base.sources, self.base.numbers)[sids[kept]]
                kept = kept[np.argsort(ranks, kind="stable")]
            places = kept[order_by_stage(stage[kept], len(names), levels.rest, reverse=levels.reverse)]
            firsts = [(name, int(np.argmax(stage[places] == place))) for place, name in enumerate(names)]
            return places, tuple(sorted(firsts, key=lambda entry: entry[1]))
        return (kept if levels.rest == "keep" else kept[stage[kept] != REST]), ()

    def _stages(self, condition: Condition, levels: Order | Balance, sids: Indices) -> tuple[Indices, list[str]]:
        """The stage of each sentence, and the names of the stages."""
        filters = stage_filters(condition, self.plan.resolved)
        if not filters:
            values = read_values(self.store, str(levels.key))
            found = [values[sid] for sid in sids.tolist()]
            names = list(levels.stages) or sorted({value for value in found if value is not None})
            return stages_by_values(found, names), names
        names = list(levels.stages) or [item.name for item in filters]
        places = {item.name: place for place, item in enumerate(filters)}
        stages = [{places[name] for name in stage_names(stage)} for stage in names]
        return stages_by_filters(sids, [self.matched(item.key) for item in filters], stages), names

    def _injected(
        self, condition: Condition, wanted: Inject, sids: Indices, lines: list[str], units: Path
    ) -> Scheduled:
        split = self.plan.resolved.manifest.tokenizer.split
        texts, firsts, targets = read_units(units)
        sums = np.concatenate([[0], np.cumsum(_tokens(texts, split))])
        try:
            instead = wanted.mode == "replace"
            done = plan_injection(_tokens(lines, split), np.diff(sums[firsts]), wanted.fraction or 0.0, replace=instead)
        except ShortError as short:
            told: dict[str, Any] = {"condition": condition.name, "wanted": short.requested, "found": short.available}
            raise InputError(self._problem("FICT643", condition, "inject", **told)) from short
        except LongError as long:
            told = {"condition": condition.name, "wanted": long.requested, "found": long.length, "unit": wanted.unit}
            raise InputError(self._problem("FICT654", condition, "inject", **told)) from long
        found, replaced = apply_injection(sids, done, np.array(firsts))
        line_of = dict(zip(sids.tolist(), lines, strict=True))
        stats = {
            "asked_tokens": round(done.requested, 1),
            "injected_tokens": done.injected,
            "injected_units": len(done.starts),
            "injected_sentences": int((found < 0).sum()),
            "injected_targets": sum(targets[: firsts[len(done.starts)]]),
            "replaced_tokens": done.replaced,
            "replaced_sentences": len(replaced),
        }
        return Scheduled(found, [line_of[sid] if sid >= 0 else texts[~sid] for sid in found.tolist()], replaced, stats)

    def _problem(self, code: str, at: Condition, *keys: str, **told: Any) -> Diagnostic:
        where: tuple[str | int, ...] = ("condition", self.plan.resolved.manifest.condition.index(at), *keys)
        return self.plan.resolved.draft.problem(code, *where, **told)


def _shifted(stages: tuple[tuple[str, int], ...], before: Indices, after: Indices) -> tuple[tuple[str, int], ...]:
    """Where stages begin once lines came in between and sentences gave way: at the first sentence left of each."""
    places = {sid: place for place, sid in enumerate(before.tolist())}
    reached = np.maximum.accumulate([places.get(sid, -1) for sid in after.tolist()])
    return tuple((name, int(np.searchsorted(reached, first))) for name, first in stages)


def _groups(levels: Order | Balance, names: list[str]) -> list[list[int]]:
    """The stages that are to be equal to one another: those of each level that is named, or all."""
    if not levels.levels:
        return [list(range(len(names)))]
    return [[names.index(stage) for stage in level] for level in levels.levels]


def _tokens(lines: list[str], split: Split) -> Indices:
    return np.array([len(split_words(line, split)) for line in lines], dtype=np.int64)
