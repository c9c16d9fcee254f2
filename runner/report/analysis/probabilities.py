"""Scores to probability deltas with their robustness, and texts to perplexities."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from runner.report.analysis.statistics import ProbabilityDelta, TextScore, Unit, full_of, references
from runner.report.results.items import Paradigm
from runner.report.results.results import Results
from runner.score.statistics import inference
from runner.score.statistics.measures import (
    probability_delta,
    robustness_ceiling,
    seed_reliability,
    split_half,
)

LARGEST = 690.0  # nats a token: beyond this a perplexity, or an interval around it, does not fit a float


def probabilities(results: Results, targets: dict[str, frozenset[str]]) -> Iterator[ProbabilityDelta]:
    """PΔ of every paradigm and model, under full and under each other condition that has scores."""
    full = full_of(results)
    if full is None:
        return
    for paradigm in results.paradigms:
        for model in results.models:
            for condition in results.conditions:
                if condition.kind == "full":
                    continue
                targeted = paradigm.key in targets[condition.name]
                confidence = results.run.report.confidence
                row = _change(paradigm, full.name, condition.name, model, confidence=confidence, targeted=targeted)
                if row is not None:
                    yield row


def _change(
    paradigm: Paradigm, full: str, condition: str, model: str, *, confidence: float, targeted: bool
) -> ProbabilityDelta | None:
    seeds, good, bad = paradigm.scores(full, model)
    others, good_after, bad_after = paradigm.scores(condition, model)
    if not seeds or not others:
        return None
    before, after = probability_delta(good, bad), probability_delta(good_after, bad_after)
    usable = np.isfinite(before) & np.isfinite(after)
    if not usable.any():
        return None
    halves = split_half((good - bad)[:, usable])
    return ProbabilityDelta(
        Unit("paradigm", paradigm.suite, paradigm.name),
        condition,
        model,
        targeted,
        float(before[usable].mean()),
        float(after[usable].mean()),
        inference.welch(
            (good_after - bad_after)[:, usable].mean(axis=1), (good - bad)[:, usable].mean(axis=1), confidence
        ),
        inference.pearson(before[usable], after[usable]),
        halves[0] if halves else None,
        robustness_ceiling(seed_reliability(*halves), len(seeds), len(others)) if halves else None,
        int(usable.sum()),
        before,
        after,
    )


def texts(results: Results) -> Iterator[TextScore]:
    """Perplexity exp(loss) of each text, model and condition, with the change against its reference."""
    found: dict[tuple[str, str, str], dict[int, float]] = {}
    tokens: dict[tuple[str, str, str], int | None] = {}
    alone: dict[tuple[str, str, str], list[float]] = {}
    for row in results.perplexity:
        key = (row.text, row.model, row.condition)
        if row.frequencies is not None:
            alone.setdefault(key, []).append(math.exp(min(row.frequencies, LARGEST)))
        found.setdefault(key, {})[row.seed] = math.exp(min(row.loss, LARGEST))
        tokens[key] = row.tokens
    for text in dict.fromkeys(row.text for row in results.perplexity):
        for model in results.models:
            for condition in results.conditions:
                by_seed = found.get((text, model, condition.name))
                if by_seed is None:
                    continue
                other = next(
                    (r.name for r, _ in references(results, condition) if (text, model, r.name) in found), None
                )
                change = None
                if other is not None:
                    theirs = list(found[text, model, other].values())
                    change = inference.welch(list(by_seed.values()), theirs, results.run.report.confidence)
                counted, few = tokens[text, model, condition.name], alone.get((text, model, condition.name))
                known = sum(few) / len(few) if few else None
                seeds = dict(sorted(by_seed.items()))
                yield TextScore(text, condition.name, model, seeds, counted, other, change, known)
