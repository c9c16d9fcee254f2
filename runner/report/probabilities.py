"""Probability deltas and their robustness, and perplexities of texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from runner.report.results import Results
from runner.report.statistics import ProbabilityDelta, TextScore, Unit, references
from runner.score import inference
from runner.score.measures import probability_delta, robustness_ceiling, seed_reliability, split_half
from runner.score.pair_matrices import Paradigm

MAX_LOSS = 690.0  # nats per token; a larger loss would overflow perplexities or their intervals


def probability_deltas(results: Results, targets: dict[str, frozenset[str]]) -> Iterator[ProbabilityDelta]:
    """Yield PΔ under the full condition and under each other condition with scores, for every paradigm and model."""
    full = results.full
    if full is None:
        return
    for paradigm in results.paradigms:
        for model in results.models:
            for condition in results.conditions:
                if condition.kind == "full":
                    continue
                targeted = paradigm.key in targets[condition.name]
                confidence = results.confidence
                delta = _probability_delta(
                    paradigm, full.name, condition.name, model, confidence=confidence, targeted=targeted
                )
                if delta is not None:
                    yield delta


def _probability_delta(
    paradigm: Paradigm, full: str, condition: str, model: str, *, confidence: float, targeted: bool
) -> ProbabilityDelta | None:
    seeds, good, bad = paradigm.scores(full, model)
    seeds_after, good_after, bad_after = paradigm.scores(condition, model)
    if not seeds or not seeds_after:
        return None
    full_deltas, condition_deltas = probability_delta(good, bad), probability_delta(good_after, bad_after)
    is_finite = np.isfinite(full_deltas) & np.isfinite(condition_deltas)
    if not is_finite.any():
        return None
    halves = split_half((good - bad)[:, is_finite])
    return ProbabilityDelta(
        Unit.of(paradigm),
        condition,
        model,
        targeted,
        float(full_deltas[is_finite].mean()),
        float(condition_deltas[is_finite].mean()),
        inference.welch(
            (good_after - bad_after)[:, is_finite].mean(axis=1), (good - bad)[:, is_finite].mean(axis=1), confidence
        ),
        inference.pearson(full_deltas[is_finite], condition_deltas[is_finite]),
        halves[0] if halves else None,
        robustness_ceiling(seed_reliability(*halves), len(seeds), len(seeds_after)) if halves else None,
        int(is_finite.sum()),
        full_deltas,
        condition_deltas,
    )


def texts(results: Results) -> Iterator[TextScore]:
    """Yield the perplexity exp(loss) of each text, model and condition, with the change from its reference."""
    perplexities: dict[tuple[str, str, str], dict[int, float]] = {}
    tokens: dict[tuple[str, str, str], int | None] = {}
    unigram_perplexities: dict[tuple[str, str, str], list[float]] = {}
    for row in results.perplexity:
        key = (row.text, row.model, row.condition)
        if row.unigram_loss is not None:
            unigram_perplexities.setdefault(key, []).append(math.exp(min(row.unigram_loss, MAX_LOSS)))
        perplexities.setdefault(key, {})[row.seed] = math.exp(min(row.loss, MAX_LOSS))
        tokens[key] = row.tokens
    for text in dict.fromkeys(row.text for row in results.perplexity):
        for model in results.models:
            for condition in results.conditions:
                by_seed = perplexities.get((text, model, condition.name))
                if by_seed is None:
                    continue
                reference = next(
                    (
                        entry.name
                        for entry, _ in references(results, condition)
                        if (text, model, entry.name) in perplexities
                    ),
                    None,
                )
                change = None
                if reference is not None:
                    reference_values = list(perplexities[text, model, reference].values())
                    change = inference.welch(list(by_seed.values()), reference_values, results.confidence)
                token_count, unigram_values = (
                    tokens[text, model, condition.name],
                    unigram_perplexities.get((text, model, condition.name)),
                )
                unigram_mean = sum(unigram_values) / len(unigram_values) if unigram_values else None
                seeds = dict(sorted(by_seed.items()))
                yield TextScore(text, condition.name, model, seeds, token_count, reference, change, unigram_mean)


def unlearned(texts: Iterable[TextScore]) -> frozenset[tuple[str, str]]:
    """Return the conditions and models that predict no text better than the word frequencies of the training text."""
    is_better: dict[tuple[str, str], bool] = {}
    for score in texts:
        if score.unigram_perplexity is not None:
            key = score.condition, score.model
            is_better[key] = is_better.get(key, False) or score.mean < score.unigram_perplexity
    return frozenset(key for key, better in is_better.items() if not better)
