"""Contrasts are over what both sides were scored on: paradigms of a group, pairs of a paradigm."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from runner.report.analysis import analyse
from runner.report.answer import answer
from runner.report.imported_results import results_of
from runner.report.long_form import read_long_form
from runner.report.results import read_results
from runner.report.statistics import Unit
from tests.support import long_form
from tests.support.results import Fabricated

EASE = {"passive_1": 0.9, "passive_2": 0.5, "anaphor_number_agreement": 0.4}
SUITE = Unit("suite", "blimp", "blimp")


@pytest.fixture
def partial(tmp_path: Path):
    """A corpus that was scored on the easy paradigm only, beside one with all three."""
    rows = [("full", "m", s, f"blimp/{p}", "accuracy", v + s / 1000) for s in (1, 2) for p, v in EASE.items()]
    rows += [("new", "m", s, "blimp/passive_1", "accuracy", 0.9 + s / 1000) for s in (1, 2)]
    return analyse(results_of(read_long_form(long_form.write(tmp_path / "r.csv", rows))))


def test_groups_are_contrasted_over_the_paradigms_of_both(partial) -> None:
    assert partial.accuracies[SUITE, "full", "m"].mean == pytest.approx(0.6015)
    for unit in (SUITE, Unit("phenomenon", "blimp", "argument_structure")):
        change = partial.contrasts[unit, "new", "m", "full"]
        assert (change.difference.mean_a, change.difference.mean_b) == (pytest.approx(0.9015), pytest.approx(0.9015))
        assert change.difference.method == "over seeds only"
        assert change.verdict is None  # nothing is targeted
    assert (Unit("phenomenon", "blimp", "anaphor_agreement"), "new", "m", "full") not in partial.contrasts
    (remark,) = [one for one in answer(partial).cautions if "Not all paradigms" in one]
    assert "(new, m: 1 of 3 of blimp)" in remark


def test_whole_suites_need_no_remark(analysis) -> None:
    remarks = ("Not all paradigms", "Tokenizers", "same seeds")
    assert not [one for one in answer(analysis).cautions if any(start in one for start in remarks)]


def test_seeds_that_a_mean_loses_are_told(tmp_path: Path) -> None:
    """passive_1 under two seeds of three, anaphors under none of these."""
    full = dict.fromkeys(EASE, (1, 2, 3))
    new = full | {"passive_1": (1, 2)}
    seeds = {"full": full, "new": new, "few": new | {"anaphor_number_agreement": (3,)}}
    rows = [(c, "m", s, f"blimp/{p}", "accuracy", EASE[p]) for c in seeds for p in EASE for s in seeds[c][p]]
    found = analyse(results_of(read_long_form(long_form.write(tmp_path / "r.csv", rows))))
    assert list(found.accuracies[SUITE, "new", "m"].by_seed) == [1, 2]
    assert (SUITE, "few", "m") not in found.accuracies
    (remark,) = [one for one in answer(found).cautions if "same seeds" in one]
    assert "(new, m: 2 of 3 of blimp; few, m: 0 of 3 of blimp; " in remark


def test_deltas_and_bootstrap_are_of_the_same_pairs(tmp_path: Path) -> None:
    results = read_results(Fabricated(items=10).write(tmp_path / "results"))
    first = results.paradigms[0]
    good, bad = np.ones_like(first.score_good), np.zeros_like(first.score_bad)
    for i, cell in enumerate(first.cells):
        if cell.condition == "full":
            bad[i, 5:] = 2.0  # wrong where the other conditions were not scored
        else:
            good[i, 5:] = np.nan
    changed = replace(first, score_good=good, score_bad=bad)
    found = analyse(replace(results, paradigms=(changed, *results.paradigms[1:])))
    unit = Unit("paradigm", first.suite, first.name)
    change = found.contrasts[unit, "agr-pp-mod", "lstm-128", "full"]
    assert found.accuracies[unit, "full", "lstm-128"].mean == 0.5
    assert (
        change.difference.delta,
        change.differences_by_method["bootstrap"].low,
        change.differences_by_method["bootstrap"].high,
    ) == (
        0.0,
        0.0,
        0.0,
    )
    assert any(f"in different cells ({first.name})" in one for one in answer(found).cautions)
