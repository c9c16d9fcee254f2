"""Effects of conditions compared with those of placebo draws, per paradigm and model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from runner.report.results.items import Paradigm
from runner.report.results.placebos import Placebo
from runner.report.results.results import Results
from runner.score.statistics.measures import decisions, mean, row_means
from runner.score.statistics.placebo import placebo_p_value, smallest_p_value


@dataclass(frozen=True, slots=True)
class PlaceboTest:
    """The change of accuracy under a condition, and under each draw of its placebo, from `full` at the same seeds.

    `p` is one-sided, for a drop. `smallest_p` is the smallest p-value that this number of draws can give.
    """

    placebo: str
    condition: str
    model: str
    paradigm: str
    change: float
    draws: tuple[tuple[int, float], ...]  # number of the draw, change
    p: float
    smallest_p: float


def placebo_tests(results: Results) -> list[PlaceboTest]:
    """Return a test for each placebo, model and paradigm with scores of the condition, of `full` and of some draw."""
    full = next((condition.name for condition in results.conditions if condition.kind == "full"), None)
    if full is None:
        return []
    tests = (
        _placebo_test(results, placebo, full, model, paradigm)
        for placebo in results.placebos
        for model in results.models
        for paradigm in results.paradigms
    )
    return [test for test in tests if test is not None]


def _placebo_test(results: Results, placebo: Placebo, full: str, model: str, paradigm: Paradigm) -> PlaceboTest | None:
    full_accuracies = _by_seed(results, paradigm, full, model)
    condition_accuracies = _by_seed(results, paradigm, placebo.control_of, model)
    change = mean(
        value - full_accuracies[seed] for seed, value in condition_accuracies.items() if seed in full_accuracies
    )
    draws = draw_changes(placebo, model, paradigm.key, full_accuracies)
    if change is None or not draws:
        return None
    placebo_effects = [value for _, value in draws]
    p, smallest = placebo_p_value(change, placebo_effects), smallest_p_value(len(draws))
    return PlaceboTest(placebo.name, placebo.control_of, model, paradigm.key, change, draws, p, smallest)


def _by_seed(results: Results, paradigm: Paradigm, condition: str, model: str) -> dict[int, float]:
    rows = paradigm.rows(condition, model)
    scores = paradigm.score_good[rows], paradigm.score_bad[rows]
    accuracies = row_means(decisions(*scores, results.run.ties(paradigm.suite), paradigm.identical[rows]))
    seeds = [paradigm.cells[row].seed for row in rows]
    return {seed: value for seed, value in zip(seeds, accuracies, strict=True) if value is not None}


def draw_changes(
    placebo: Placebo, model: str, paradigm: str, baseline: Mapping[int, float]
) -> tuple[tuple[int, float], ...]:
    """Return the number of each draw with scores and its change from the baseline at the same seed.

    `baseline` has the accuracies of `full` or of a control by seed (0–1). Draws with other seeds are left out.
    """
    scored = [(draw, draw.models[model].accuracies.get(paradigm)) for draw in placebo.draws if model in draw.models]
    return tuple(
        (draw.draw, value - baseline[draw.seed])
        for draw, value in scored
        if value is not None and draw.seed in baseline
    )
