"""Headlines and verdicts."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from runner.report.accuracies import mean_over_conditions
from runner.report.analysis import analyse
from runner.report.contrasts import TargetedCell, headlines
from runner.report.imported_results import results_of
from runner.report.long_form import read_long_form
from runner.report.results import read_results
from runner.report.statistics import Unit
from runner.score.inference import holm
from runner.score.intervals import Sides
from tests.support import long_form
from tests.support.results import CONDITIONS, PARADIGMS, Fabricated


def test_headlines_are_means_over_targets(analysis) -> None:
    by_scope = {(h.condition, h.model): h for h in analysis.headlines if not h.over_phenomena}
    one = by_scope["det-noun", "lstm-128"]
    unit = Unit("paradigm", "blimp", "determiner_noun_agreement_1")
    cell = analysis.contrasts[unit, "det-noun", "lstm-128", "det-noun.random"]
    assert one.difference == replace(cell.difference)
    overall = by_scope["", "lstm-128"]
    deltas = [by_scope[name, "lstm-128"].difference.delta for name in ("agr-pp-mod", "det-noun")]
    assert overall.difference.delta == pytest.approx(np.mean(deltas))
    assert (overall.count, overall.verdict, overall.holm) == (2, "fell", overall.difference.p)


def test_headlines_are_adjusted_over_conditions(tmp_path: Path) -> None:
    """Some changes that would be significant alone are undecided."""
    names = [f"c{i}" for i in range(5)]
    rows = [
        (condition, "m", seed, f"blimp/p{paradigm}", "accuracy", 0.8 + (3 * seed + place) % 5 / 100 - 0.008 * place)
        for place, condition in enumerate(["full", *names])
        for seed in range(5)
        for paradigm in (1, 2, 3)
    ]
    table = read_long_form(long_form.write(tmp_path / "r.csv", rows))
    targets = {name: ["blimp/p1", "blimp/p2"] for name in names} | {"c3": ["blimp/p3"]}
    analysis = analyse(results_of(table, targets=targets))
    found = {h.condition: h for h in analysis.headlines}
    p_values = [found[name].difference.p for name in names]
    expected = dict(zip(names, holm(p_values), strict=True))
    assert all(found[name].holm == expected[name] for name in names if name != "c3")
    assert found["c2"].difference.p < 0.05 < expected["c2"]
    for headline in found.values():
        significant = headline.holm is not None and headline.holm <= 0.05
        assert headline.verdict == (
            ("fell" if headline.difference.delta < 0 else "rose") if significant else "undecided"
        )
    (cell,) = (c for c in analysis.targeted_contrasts if c.condition == "c3")
    assert (found["c3"].holm, found["c3"].verdict) == (cell.holm, cell.verdict)
    assert cell.holm > expected["c3"]


@pytest.mark.parametrize("conditions", [CONDITIONS, CONDITIONS[:4]])
def test_a_change_has_one_verdict(tmp_path: Path, conditions: tuple[str, ...]) -> None:
    """A condition with one target has the same change in both tables. The last condition has no control once."""
    made = Fabricated(items=40, conditions=conditions, effects={(c, p[1]): -0.1 for c in conditions for p in PARADIGMS})
    analysis = analyse(read_results(made.write(tmp_path / "results")))
    cells = {(c.condition, c.model): c for c in reversed(analysis.targeted_contrasts)}
    for headline in analysis.headlines:
        if headline.condition:
            cell = cells[headline.condition, headline.model]
            assert (headline.difference, headline.holm, headline.verdict) == (cell.difference, cell.holm, cell.verdict)
    overall = [headline.references for headline in analysis.headlines if not headline.condition]
    assert overall == [("control",) if conditions == CONDITIONS else ("control", "full")] * 2


def made_up_sides(seed: int, items: tuple[int, ...]) -> Sides:
    rng = np.random.default_rng(seed)
    first, second = (rng.random((4, 50)) < share for share in (0.6, 0.8))
    decisions = [side[:, list(items)].astype(np.float64) for side in (first, second)]
    means = [dict(enumerate(side.mean(axis=1).tolist())) for side in decisions]
    return Sides(means[0], means[1], ((decisions[0], decisions[1]),), seeds_paired=True, items=(np.array(items),))


def test_a_paradigm_of_two_conditions_counts_once(analysis) -> None:
    """A second condition with the same scores is no further evidence."""
    unit = Unit("paradigm", "blimp", "determiner_noun_agreement_1")
    cell = TargetedCell(unit, made_up_sides(1, tuple(range(50))), ("control",))
    found = headlines(analysis.results, {("one", "lstm-128"): (cell,), ("twin", "lstm-128"): (cell,)})
    one, twin, overall = found
    assert (overall.condition, overall.count, overall.references) == ("", 1, ("control",))
    assert overall.difference.delta == pytest.approx(one.difference.delta)
    assert overall.difference.se == pytest.approx(one.difference.se) == pytest.approx(twin.difference.se)


def test_the_mean_over_conditions_has_the_items_that_all_of_them_share() -> None:
    both = made_up_sides(1, tuple(range(40))), made_up_sides(2, tuple(range(10, 50)))
    mean = mean_over_conditions(both)
    shared = [member.decisions[0][0][:, part] for member, part in zip(both, (slice(10, 40), slice(0, 30)), strict=True)]
    assert mean is not None
    assert mean.items[0].tolist() == list(range(10, 40))
    assert np.array_equal(mean.decisions[0][0], (shared[0] + shared[1]) / 2)
    assert list(mean.a.values()) == pytest.approx(((shared[0] + shared[1]) / 2).mean(axis=1).tolist())
    assert mean_over_conditions([made_up_sides(1, (1, 2)), made_up_sides(2, (3, 4))]) is None


def test_eight_phenomena_add_a_row_that_generalises_over_them(tmp_path: Path) -> None:
    paradigms = [("blimp", f"p{i}", f"phenomenon {i % 8}", "", 0.8) for i in range(10)]
    folder = Fabricated(items=20, paradigms=paradigms, conditions=("full", "det-noun")).write(tmp_path / "results")
    results = read_results(folder)
    conditions = tuple(
        c.model_copy(update={"targets": tuple(f"blimp/p{i}" for i in range(10)) if c.filters else ()})
        for c in results.conditions
    )
    found = [h for h in analyse(replace(results, conditions=conditions)).headlines if h.over_phenomena]
    assert [(h.model, h.count, h.difference.method) for h in found] == [
        ("lstm-128", 8, "over seeds and phenomena"),
        ("transformer-128", 8, "over seeds and phenomena"),
    ]
    assert all(h.difference.low < h.difference.delta < h.difference.high for h in found)


def test_nothing_is_held_over_seeds_only(tmp_path: Path) -> None:
    rows = [("full", "m", s, "blimp/passive_1", "accuracy", 0.9 + s / 10_000) for s in (1, 2, 3)]
    rows += [("new", "m", s, "blimp/passive_1", "accuracy", 0.9 + (4 - s) / 10_000) for s in (1, 2, 3)]
    rows += [("less", "m", s, "blimp/passive_1", "accuracy", 0.5 + s / 10_000) for s in (1, 2, 3)]
    table = read_long_form(long_form.write(tmp_path / "r.csv", rows))
    targets = {name: ["blimp/passive_1"] for name in ("new", "less")}
    found = {c.condition: c for c in analyse(results_of(table, targets=targets)).targeted_contrasts}
    assert {c.difference.method for c in found.values()} == {"over seeds only"}
    assert (found["new"].verdict, found["less"].verdict) == ("undecided", "fell")


def test_the_margin_is_the_manifest_s(analysis) -> None:
    results = analysis.results
    report = results.run.report.model_copy(update={"equivalence": 40.0})
    wide = analyse(replace(results, run=results.run.model_copy(update={"report": report})))
    assert {c.verdict for c in wide.targeted_contrasts} == {"held", "fell within margin"}
    assert {c.verdict for c in analysis.targeted_contrasts} == {"fell", "held", "undecided"}


def test_scores_of_separate_models_are_not_paired(analysis) -> None:
    methods = {c.difference.method for c in analyse(replace(analysis.results, seeds_paired=False)).targeted_contrasts}
    assert methods == {"seeds × items, seeds unpaired"}
