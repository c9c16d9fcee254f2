"""The whole chain, results to statistics, on a run of which every number is worked by hand."""

import json
import math
from pathlib import Path

import pytest

from runner.report.analysis import analyse
from runner.report.imported_results import results_of
from runner.report.long_form import read_long_form
from runner.report.results import read_results
from runner.report.statistics import Unit
from tests.support import long_form
from tests.support.results import Fabricated
from tests.support.tiny import write_tiny

UNIT = Unit("paradigm", "blimp", "distractor_agreement_relational_noun")
CELLS = {
    # four pairs; 1 right, −1 wrong, 0 tie, None identical
    ("full", 1): [1, 1, 1, None],  # 1
    ("full", 2): [1, 1, -1, None],  # 2/3
    ("full", 3): [1, 0, -1, None],  # 1/2
    ("agr-pp-mod", 1): [1, -1, -1, None],  # 1/3
    ("agr-pp-mod", 2): [-1, -1, -1, None],  # 0
    ("agr-pp-mod", 3): [1, -1, -1, None],  # 1/3
    ("agr-pp-mod.random", 1): [1, 1, 1, None],  # 1
    ("agr-pp-mod.random", 2): [1, 1, -1, None],  # 2/3
    ("agr-pp-mod.random", 3): [1, 1, 1, None],  # 1
    ("full", -1): [1, -1, 0, None],  # 1/2
}


@pytest.fixture
def tiny(tmp_path: Path):
    return analyse(read_results(write_tiny(tmp_path / "results", CELLS)))


def test_accuracies_by_hand(tiny) -> None:
    full = tiny.accuracies[UNIT, "full", "m"]
    assert full.by_seed == {1: 1.0, 2: pytest.approx(2 / 3), 3: 0.5}
    assert full.mean == pytest.approx(13 / 18)
    assert full.sd == pytest.approx(math.sqrt(((5 / 18) ** 2 + (1 / 18) ** 2 + (4 / 18) ** 2) / 2))
    assert (full.size, full.applicable, full.identical, full.unscored) == (4, 3, 1, 0)
    assert full.ties == pytest.approx(1 / 9)
    assert tiny.accuracies[UNIT, "full", "unigram"].mean == 0.5


def test_contrast_by_hand(tiny) -> None:
    against = tiny.contrasts[UNIT, "agr-pp-mod", "m", "agr-pp-mod.random"]
    assert (against.reference_kind, against.targeted, against.verdict) == ("control", True, "undecided")
    # filtered 1/3, 0, 1/3 (mean 2/9, s² 1/27), control 1, 2/3, 1 (mean 8/9, s² 1/27): SE² = 2/81, df = 4
    assert against.difference.delta == pytest.approx(-2 / 3)
    welch = against.differences_by_method["welch"]
    assert welch.se == pytest.approx(math.sqrt(2 / 81))
    assert welch.df == pytest.approx(4)
    assert welch.high == pytest.approx(-2 / 3 + 2.776445 * math.sqrt(2 / 81), abs=1e-5)
    assert against.difference.low == -1.0  # three pairs, three seeds; the interval ends at the possible range
    assert against.differences_by_method["paired"].delta == pytest.approx(-2 / 3)
    assert against.differences_by_method["paired"].note == "no variance between pairs"  # −2/3 at every seed
    full = tiny.contrasts[UNIT, "agr-pp-mod", "m", "full"]
    assert full.difference.delta == pytest.approx(2 / 9 - 13 / 18)
    # one test in each family, so that corrections change nothing
    assert against.holm == against.bh == against.difference.p
    assert full.holm == full.difference.p
    control = tiny.contrasts[UNIT, "agr-pp-mod.random", "m", "full"]
    assert (control.targeted, control.holm) == (False, None)


@pytest.mark.parametrize(("ties", "expected"), [("strict", 1 / 4), ("argmax", 3 / 4)])
def test_ties_as_the_run_says(tmp_path: Path, ties: str, expected: float) -> None:
    folder = write_tiny(tmp_path / "results", CELLS, report={"ties": ties})
    found = analyse(read_results(folder)).accuracies[UNIT, "full", "m"]
    assert found.by_seed[3] == pytest.approx(expected)  # right, tie, wrong, identical
    assert found.identical == 1
    assert found.told_apart is not None
    assert found.told_apart != pytest.approx(sum(found.by_seed.values()) / len(found.by_seed))


def test_probability_delta_by_hand(tiny) -> None:
    filtered = next(p for p in tiny.probability_deltas if p.condition == "agr-pp-mod")
    # PΔ full: 1, 2/3, −1/3; after: 1/3, −1, −1
    assert filtered.full == pytest.approx(4 / 9)
    assert filtered.under_condition == pytest.approx(-5 / 9)
    assert filtered.difference.delta == pytest.approx(-1)
    assert filtered.robustness is None  # three pairs
    assert filtered.items == 3


def test_robustness_by_hand(tmp_path: Path) -> None:
    # products 4 − 1 + 1 + 0, means 0; squares 4 + 1 + 1 + 4 = 10 and 4 + 1 + 1 + 0 = 6
    decisions = {("full", 1): [2.0, 1.0, -1.0, -2.0], ("agr-pp-mod", 1): [2.0, -1.0, -1.0, 0.0]}
    (filtered,) = analyse(read_results(write_tiny(tmp_path / "results", decisions))).probability_deltas
    assert filtered.robustness == pytest.approx((4 - 1 + 1) / math.sqrt(10 * 6))


def test_groups_are_means_over_paradigms(analysis) -> None:
    names = ("distractor_agreement_relational_noun", "regular_plural_subject_verb_agreement_1")
    parts = [analysis.accuracies[Unit("paradigm", "blimp", n), "full", "lstm-128"].by_seed for n in names]
    group = analysis.accuracies[Unit("phenomenon", "blimp", "subject_verb_agreement"), "full", "lstm-128"]
    assert group.by_seed == {s: pytest.approx((parts[0][s] + parts[1][s]) / 2) for s in (1, 2, 3)}
    suite = analysis.accuracies[Unit("suite", "blimp", "blimp"), "full", "lstm-128"]
    singles = [
        a.mean for (u, c, m), a in analysis.accuracies.items() if (u.level, c, m) == ("paradigm", "full", "lstm-128")
    ]
    assert suite.mean == pytest.approx(sum(singles) / 6)


def test_families_are_the_targeted_tests_of_one_kind(analysis) -> None:
    for reference_kind in ("control", "full"):
        family = [c for c in analysis.targeted_contrasts if c.reference_kind == reference_kind]
        assert len(family) == 4
        smallest = min(family, key=lambda c: c.difference.p)
        assert smallest.holm == pytest.approx(2 * smallest.difference.p)  # of its model: two conditions


def test_one_seed_has_an_interval_over_items_only(tmp_path: Path) -> None:
    cells = {key: value for key, value in CELLS.items() if key[1] in (1, -1)}
    found = analyse(read_results(write_tiny(tmp_path / "results", cells)))
    contrast = found.contrasts[UNIT, "agr-pp-mod", "m", "agr-pp-mod.random"]
    assert contrast.difference.method == contrast.difference.note == "one seed, over items only"
    assert contrast.difference.low is not None and -1 <= contrast.difference.low <= contrast.difference.delta
    assert contrast.differences_by_method["welch"].low is None
    assert all(p.ceiling is None for p in found.probability_deltas)


def test_targets_of_another_suite_name_and_absent_targets(tmp_path: Path) -> None:
    folder = Fabricated(items=4).write(tmp_path / "results")
    conditions = json.loads((folder / "conditions.json").read_text())
    for condition, targets in ((1, ["sample/only_npi_scope"]), (3, ["blimp/no_such_paradigm"])):
        conditions[condition]["filters"][0]["targets"] = targets
    (folder / "conditions.json").write_text(json.dumps(conditions))
    found = analyse(read_results(folder))
    assert found.targets["agr-pp-mod"] == {"blimp/only_npi_scope"}  # no suite `sample` here, the name is the same
    assert found.targets["det-noun"] == frozenset()
    assert found.absent_targets["det-noun"] == ("blimp/no_such_paradigm",)


def test_ties_count_as_the_convention_of_their_suite_has_it(tmp_path: Path) -> None:
    card = {"convention": {"blimp": {"ties": "strict"}}}
    folder = write_tiny(tmp_path / "results", CELLS)
    run = json.loads((folder / "run.json").read_text())
    run["report"].pop("ties", None)
    (folder / "run.json").write_text(json.dumps(run | card))
    found = analyse(read_results(folder))
    assert found.accuracies[UNIT, "full", "m"].by_seed[3] == pytest.approx(1 / 4)  # right, tie, wrong, identical
    (folder / "run.json").write_text(json.dumps(run | card | {"report": {"ties": "argmax"}}))
    assert analyse(read_results(folder)).accuracies[UNIT, "full", "m"].by_seed[3] == pytest.approx(3 / 4)


def test_a_phenomenon_as_target_is_all_its_paradigms(tmp_path: Path) -> None:
    folder = Fabricated(items=4).write(tmp_path / "results")
    conditions = json.loads((folder / "conditions.json").read_text())
    conditions[1]["filters"][0]["targets"] = ["blimp/determiner_noun_agreement"]
    (folder / "conditions.json").write_text(json.dumps(conditions))
    results = read_results(folder)
    own = {one.key for one in results.paradigms if one.phenomenon == "determiner_noun_agreement"}
    assert own
    assert analyse(results).targets["agr-pp-mod"] == own


def test_a_target_without_a_name_targets_nothing(tmp_path: Path) -> None:
    """Paradigms of a table have no phenomenon, unless they are BLiMP's."""
    rows = [("full", "m", 1, f"custom/{p}", "accuracy", 0.5) for p in "xy"]
    rows += [("new", "m", 1, f"custom/{p}", "accuracy", 0.5) for p in "xy"]
    table = read_long_form(long_form.write(tmp_path / "r.csv", rows))
    found = analyse(results_of(table, targets={"new": ["custom/", "other/", "custom/y"]}))
    assert found.targets["new"] == {"custom/y"}
    assert found.absent_targets["new"] == ("custom/", "other/")


def test_without_control_only_full_is_compared(tmp_path: Path) -> None:
    cells = {key: value for key, value in CELLS.items() if key[0] != "agr-pp-mod.random"}
    found = analyse(read_results(write_tiny(tmp_path / "results", cells)))
    assert {c.reference for c in found.contrasts.values()} == {"full"}


def test_perplexity_is_token_weighted(analysis) -> None:
    row = next(t for t in analysis.texts if (t.text, t.condition, t.model) == ("test", "det-noun", "lstm-128"))
    assert row.by_seed[2] == pytest.approx(math.exp(4.6 + 0.03 + 0.006))
    assert row.reference == "det-noun.random"
    assert row.difference is not None
    assert row.difference.delta < 0
