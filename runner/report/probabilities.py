"""Probability deltas and their robustness, and perplexities of texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from runner.report.results import Results, TextPerplexity
from runner.report.statistics import ProbabilityDelta, TextScore, Unit, references
from runner.score import inference
from runner.score.measures import probability_delta, robustness_ceiling, seed_reliability, split_half
from runner.score.pair_matrices import Paradigm

MAX_LOSS = 690.0  # nats per token; a larger loss would overflow perplexities or their intervals


def probability_deltas(results: Results, targets: dict[str, frozenset[str]]) -> Iterator[ProbabilityDelta]:
    changed = [condition.name for condition in results.conditions if results.full and condition.kind != "full"]
    for paradigm in results.paradigms:
        for model in results.models:
            for condition in changed:
                yield from _probability_delta(
                    results, paradigm, condition, model, targeted=paradigm.key in targets[condition]
                )


def _probability_delta(
    results: Results, paradigm: Paradigm, condition: str, model: str, *, targeted: bool
) -> Iterator[ProbabilityDelta]:
    seeds, good, bad = paradigm.scores(results.full.name if results.full else "", model)
    seeds_after, good_after, bad_after = paradigm.scores(condition, model)
    if not seeds or not seeds_after:
        return
    full_deltas, condition_deltas = probability_delta(good, bad), probability_delta(good_after, bad_after)
    is_finite = np.isfinite(full_deltas) & np.isfinite(condition_deltas)
    if not is_finite.any():
        return
    halves = split_half((good - bad)[:, is_finite])
    before, after = (side[:, is_finite].mean(axis=1) for side in (good - bad, good_after - bad_after))
    yield ProbabilityDelta(
        *(Unit.of(paradigm), condition, model, targeted),
        float(full_deltas[is_finite].mean()),
        float(condition_deltas[is_finite].mean()),
        inference.welch(after, before, results.confidence),
        inference.pearson(full_deltas[is_finite], condition_deltas[is_finite]),
        halves[0] if halves else None,
        robustness_ceiling(seed_reliability(*halves), len(seeds), len(seeds_after)) if halves else None,
        int(is_finite.sum()),
        full_deltas,
        condition_deltas,
    )


def texts(results: Results) -> Iterator[TextScore]:
    rows: dict[tuple[str, str, str], list[TextPerplexity]] = {}
    for row in results.perplexity:
        rows.setdefault((row.text, row.model, row.condition), []).append(row)
    perplexities = {key: {row.seed: _perplexity(row.loss) for row in group} for key, group in rows.items()}
    for text in dict.fromkeys(row.text for row in results.perplexity):
        for model in results.models:
            for condition in results.conditions:
                key = (text, model, condition.name)
                if key not in rows:
                    continue
                names = (entry.name for entry, _ in references(results, condition))
                reference = next((name for name in names if (text, model, name) in perplexities), None)
                change = None
                if reference is not None:
                    other = perplexities[text, model, reference].values()
                    change = inference.welch(list(perplexities[key].values()), list(other), results.confidence)
                unigram = [_perplexity(row.unigram_loss) for row in rows[key] if row.unigram_loss is not None]
                by_seed, tokens = dict(sorted(perplexities[key].items())), rows[key][-1].tokens
                unigram_mean = sum(unigram) / len(unigram) if unigram else None
                yield TextScore(text, condition.name, model, by_seed, tokens, reference, change, unigram_mean)


def _perplexity(loss: float) -> float:
    return math.exp(min(loss, MAX_LOSS))


def unlearned(texts: Iterable[TextScore]) -> frozenset[tuple[str, str]]:
    """Return the conditions and models that predict no text better than the word frequencies of the training text."""
    is_better: dict[tuple[str, str], bool] = {}
    for score in texts:
        if score.unigram_perplexity is not None:
            key = score.condition, score.model
            is_better[key] = is_better.get(key, False) or score.mean < score.unigram_perplexity
    return frozenset(key for key, better in is_better.items() if not better)
