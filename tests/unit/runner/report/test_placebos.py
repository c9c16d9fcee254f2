"""Placebo draws of a run: read beside the conditions, not among them, and tested per paradigm and model."""

from __future__ import annotations

import json

import pytest

from runner.errors import InputError
from runner.report.analysis import analyse
from runner.report.records import PLACEBOS
from runner.report.results import Results, read_results
from runner.report.statistics import PlaceboTest, placebo_tests
from runner.score.measures import decisions, row_means
from tests.support.results import PARADIGMS, Fabricated

TARGET = "blimp/distractor_agreement_relational_noun"


def draws(values: list[float | None]) -> list[dict]:
    """Draws of one model with these accuracies on the first paradigm, trained with seeds 1, 2, 3, 1, …"""
    sizes = {"sentences": 10, "words": 60, "removed_sentences": 2, "removed_words": 12}
    return [
        {"draw": k, "seed": (k - 1) % 3 + 1, **sizes, "models": {"lstm-128": {"accuracies": {TARGET: v}, "losses": {}}}}
        for k, v in enumerate(values, 1)
    ]


@pytest.fixture
def folder(tmp_path):
    return Fabricated().write(tmp_path / "results")


def with_placebo(folder, values):
    content = [{"name": "placebo", "control_of": "agr-pp-mod", "draws": draws(values)}]
    (folder / PLACEBOS).write_text(json.dumps(content))
    return read_results(folder)


def found_in(results: Results, targets: dict[str, set[str]]) -> list[PlaceboTest]:
    return placebo_tests(results, analyse(results).accuracies, targets)


def test_a_test_compares_changes_against_full_with_the_same_seed(folder) -> None:
    values = [0.9, 0.8, 0.7, 0.1]
    results = with_placebo(folder, values)
    (test,) = found_in(results, {})
    paradigm = next(p for p in results.paradigms if p.key == TARGET)

    def accuracy(condition: str) -> dict[int, float]:
        seeds, good, bad = paradigm.scores(condition, "lstm-128")
        return dict(zip(seeds, row_means(decisions(good, bad)), strict=True))

    full, filtered = accuracy("full"), accuracy("agr-pp-mod")
    change = sum(filtered[seed] - full[seed] for seed in full) / len(full)
    changes = [value - full[(k % 3) + 1] for k, value in enumerate(values)]
    assert (test.placebo, test.condition, test.model, test.paradigm) == ("placebo", "agr-pp-mod", "lstm-128", TARGET)
    assert test.change == pytest.approx(change)
    assert [value for _, value in test.draws] == pytest.approx(changes)
    assert test.p == (1 + sum(value <= change for value in changes)) / 5
    assert test.smallest_p == 0.2


def test_a_placebo_is_no_condition_and_its_draws_are_no_seeds(folder) -> None:
    without = read_results(folder)
    results = with_placebo(folder, [0.5])
    assert [c.name for c in results.conditions] == [c.name for c in without.conditions]
    assert [p.cells for p in results.paradigms] == [p.cells for p in without.paradigms]
    assert not found_in(without, {})


def test_a_draw_without_applicable_pairs_counts_for_nothing(folder) -> None:
    (test,) = found_in(with_placebo(folder, [0.5, None, 0.6]), {})
    assert [draw for draw, _ in test.draws] == [1, 3]
    assert len(PARADIGMS) > 1  # the others have no draws, and no test


def test_the_mean_over_the_targeted_paradigms_is_tested_over_draws_that_have_all_of_them(folder) -> None:
    second = next(p.key for p in read_results(folder).paradigms if p.key != TARGET)
    placebo_draws = draws([0.9, 0.8, 0.7, 0.1])
    for draw, value in zip(placebo_draws, [0.2, None, 0.4, 0.9], strict=True):
        draw["models"]["lstm-128"]["accuracies"][second] = value
    content = [{"name": "placebo", "control_of": "agr-pp-mod", "draws": placebo_draws}]
    (folder / PLACEBOS).write_text(json.dumps(content))
    results = read_results(folder)
    first_test, second_test = sorted(found_in(results, {"agr-pp-mod": {TARGET}}), key=lambda t: t.paradigm != TARGET)
    tests = found_in(results, {"agr-pp-mod": {TARGET, second}})
    (mean_test,) = [test for test in tests if not test.paradigm]
    assert mean_test.change == pytest.approx((first_test.change + second_test.change) / 2)
    firsts, seconds = dict(first_test.draws), dict(second_test.draws)
    assert dict(mean_test.draws) == pytest.approx({k: (firsts[k] + seconds[k]) / 2 for k in (1, 3, 4)})
    assert mean_test.p == (1 + sum(value <= mean_test.change for _, value in mean_test.draws)) / 4
    assert mean_test.smallest_p == 0.25


def test_a_broken_file_is_named(folder) -> None:
    (folder / PLACEBOS).write_text('[{"name": "p"}]')
    with pytest.raises(InputError, match="control_of"):
        read_results(folder)
