"""Effects of conditions compared with those of placebo draws: per paradigm, and over the targeted paradigms."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from runner.report.results.items import Paradigm
from runner.report.results.placebos import Placebo
from runner.report.results.results import Results
from runner.score.statistics.measures import decisions, mean, row_means
from runner.score.statistics.placebo import placebo_p_value, smallest_p_value


@dataclass(frozen=True, slots=True)
class PlaceboTest:
    """The change of accuracy under a condition, and under each draw of its placebo, from `full` at the same seeds.

    `paradigm` is empty for the mean change of the paradigms that the condition targets, if it targets several. `p` is
    one-sided, for a drop. `smallest_p` is the smallest p-value that this number of draws can give.
    """

    placebo: str
    condition: str
    model: str
    paradigm: str
    change: float
    draws: tuple[tuple[int, float], ...]  # number of the draw, change
    p: float
    smallest_p: float


def placebo_tests(results: Results, targets: Mapping[str, Collection[str]]) -> list[PlaceboTest]:
    """Return a test for each placebo, model and paradigm with scores of the condition, of `full` and of some draw.

    For each placebo and model, a test of the mean over the targeted paradigms follows. `targets` are the keys of these
    paradigms by condition.
    """
    full = next((condition.name for condition in results.conditions if condition.kind == "full"), None)
    if full is None:
        return []
    tests: list[PlaceboTest] = []
    for placebo in results.placebos:
        for model in results.models:
            candidates = [_placebo_test(results, placebo, full, model, paradigm) for paradigm in results.paradigms]
            of_paradigms = [test for test in candidates if test is not None]
            targeted = [test for test in of_paradigms if test.paradigm in targets.get(placebo.control_of, ())]
            tests += [*of_paradigms, *_mean_test(targeted)]
    return tests


def _mean_test(tests: Sequence[PlaceboTest]) -> Iterator[PlaceboTest]:
    """Yield the test of the mean over several paradigms. Draws that lack one of them do not count."""
    if len(tests) > 1:
        changes_by_paradigm = [dict(test.draws) for test in tests]
        common = [draw for draw in changes_by_paradigm[0] if all(draw in changes for changes in changes_by_paradigm)]
        if common:
            change = sum(test.change for test in tests) / len(tests)
            draws = [(draw, sum(changes[draw] for changes in changes_by_paradigm) / len(tests)) for draw in common]
            yield _test(tests[0].placebo, tests[0].condition, tests[0].model, "", change, draws)


def _test(
    placebo: str, condition: str, model: str, paradigm: str, change: float, draws: Sequence[tuple[int, float]]
) -> PlaceboTest:
    p, smallest = placebo_p_value(change, [value for _, value in draws]), smallest_p_value(len(draws))
    return PlaceboTest(placebo, condition, model, paradigm, change, tuple(draws), p, smallest)


def _placebo_test(results: Results, placebo: Placebo, full: str, model: str, paradigm: Paradigm) -> PlaceboTest | None:
    full_accuracies = _by_seed(results, paradigm, full, model)
    condition_accuracies = _by_seed(results, paradigm, placebo.control_of, model)
    change = mean(
        value - full_accuracies[seed] for seed, value in condition_accuracies.items() if seed in full_accuracies
    )
    draws = draw_changes(placebo, model, paradigm.key, full_accuracies)
    if change is None or not draws:
        return None
    return _test(placebo.name, placebo.control_of, model, paradigm.key, change, draws)


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
