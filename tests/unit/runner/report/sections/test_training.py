"""Learning curves and WinoBias over training, from a table with checkpoints."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from runner.report.analysis import analyse
from runner.report.figures.heatmap import heatmap
from runner.report.imported_results import results_of
from runner.report.long_form import read_long_form
from runner.report.sections import curves, winobias
from runner.report.sections.winobias import LEFT, WIDTH
from runner.report.statistics import Analysis, Unit
from tests.support import long_form
from tests.support.report import section_of

AT = (1_000, 10_000, 100_000)


def analysis(tmp_path: Path, rows: list[tuple[object, ...]]) -> Analysis:
    path = long_form.write(tmp_path / "curves.csv", rows, (*long_form.HEADER, "checkpoint"))
    return analyse(results_of(read_long_form(path)))


def biased(lean: float) -> list[tuple[object, ...]]:
    """A model that prefers *she* by `lean` nats in every sentence, more and more."""
    return [
        ("full", "m", seed, f"winobias/winobias-type{kind}-dev-{gender}", "delta", sign * lean * i + 0.01 * seed, at)
        for seed in (1, 2)
        for kind in (1, 2)
        for gender, sign in (("female", -1), ("male", 1))
        for i, at in enumerate(AT)
    ]


def test_a_preference_for_she_shows_as_two_opposite_curves(tmp_path: Path) -> None:
    found = analysis(tmp_path, biased(2.0))
    section = section_of(winobias.sections, found)
    assert section is not None
    for row in section.tables[0].records():
        assert row["female"] == pytest.approx(-4 + 0.015)  # anti-stereotyped sentences with *she* are the likelier ones
        assert row["male"] == pytest.approx(4 + 0.015)
        assert row["female_high"] < 0 < row["male_low"]
    (figure,) = section.figures
    assert figure.svg.count('class="series s0"') == figure.svg.count('class="series s1"') == 2 * 2  # and in the legend
    assert figure.svg.count('stroke-dasharray="5 4"') == 2 * 2
    assert "anti female, type 1" in figure.svg and "anti male, type 2" in figure.svg


@pytest.mark.parametrize(("how", "title"), [("sum", "ΔNLL, nats"), ("mean", "ΔNLL, nats per token"), ("slor", "ΔSLOR")])
def test_curves_are_called_as_their_suite_is_scored(tmp_path: Path, how: str, title: str) -> None:
    found = analysis(tmp_path, biased(2.0))
    run = found.results.run.model_copy(update={"convention": {"winobias": {"normalise": how}}})
    section = section_of(winobias.sections, replace(found, results=replace(found.results, run=run)))
    assert section is not None
    assert f">{title}<" in section.figures[0].svg
    assert section.tables[0].columns[5].title == f"female {title.partition(',')[0]}"


def test_losses_after_the_last_checkpoint_stand_at_their_own_place(tmp_path: Path) -> None:
    losses = [("full", "m", 1, "train", "loss", value, at) for at, value in ((100_000, 3.0), (1_000_000, 2.0))]
    section = section_of(winobias.sections, analysis(tmp_path, [*biased(2.0), *losses]))
    assert section is not None
    found = re.findall(r'<circle cx="([\d.]+)"[^>]*><title>loss of train', section.figures[0].svg)
    first, last = map(float, found)
    assert last == LEFT + WIDTH
    assert first == pytest.approx(LEFT + WIDTH * 2 / 3, abs=0.1)  # of 1k, 10k, 100k, 1M


def test_differences_at_one_checkpoint_are_no_curve(tmp_path: Path) -> None:
    section = section_of(winobias.sections, analysis(tmp_path, [row for row in biased(2.0) if row[-1] == AT[-1]]))
    assert section is not None
    assert section.figures == () and section.tables[0].rows


def test_no_mean_over_both_genders_is_made(tmp_path: Path) -> None:
    rows = [
        (c, "m", s, f"winobias/winobias-type1-dev-{g}", "accuracy", value, "")
        for c, women in (("full", 0.9), ("fem", 0.1))
        for s in (1, 2)
        for g, value in (("female", women), ("male", 1 - women))
    ]
    found = analysis(tmp_path, rows)
    assert {unit.level for unit, _, _ in found.accuracies} == {"paradigm"}
    assert not [one for one in found.comparisons if one.suite == "winobias"]
    assert "mean over paradigms" not in heatmap(found, "winobias")


def test_intervals_are_over_seeds(tmp_path: Path) -> None:
    section = section_of(winobias.sections, analysis(tmp_path, biased(0.0)))
    row = section.tables[0].records()[0]
    # 0.01 and 0.02: mean 0.015, s = 0.0070711, t_{0.975, 1} = 12.7062
    assert row["female_low"] == pytest.approx(0.015 - 12.7062 * 0.01 / 2, abs=1e-5)


def test_the_last_checkpoint_is_the_result_where_nothing_else_is(tmp_path: Path) -> None:
    rows = [("full", "m", 1, "blimp/passive_1", "accuracy", 0.5 + i / 10, at) for i, at in enumerate(AT)]
    found = analysis(tmp_path, rows)
    unit = Unit("paradigm", "blimp", "passive_1")
    assert found.accuracies[unit, "full", "m"].by_seed == {1: pytest.approx(0.7)}
    found = analysis(tmp_path, [*rows, ("full", "m", 1, "blimp/passive_1", "accuracy", 0.9, "")])
    assert found.accuracies[unit, "full", "m"].by_seed == {1: 0.9}


def test_learning_curves_have_a_panel_a_phenomenon_and_a_line_a_paradigm(tmp_path: Path) -> None:
    names = ("passive_1", "passive_2", "anaphor_number_agreement")
    rows = [("full", "m", s, f"blimp/{n}", "accuracy", 0.1 * s + i / 10, at) for n in names for s in (1, 2) for i, at in enumerate(AT)]  # fmt: skip
    rows += [("full", "m", 1, "train", "loss", 5.0 - i, at) for i, at in enumerate(AT)]
    section = section_of(curves.sections, analysis(tmp_path, rows))
    assert section is not None
    loss, learned = section.figures
    assert "argument structure" in learned.svg and "anaphor agreement" in learned.svg
    assert learned.svg.count("band f") == 3
    assert "passive_2\nat 10k: 25.00, seeds 20.00 to 30.00" in learned.svg
    assert "at 1k: 5.00" in loss.svg
    assert len(section.tables[0].rows) == len(rows)


def test_curves_of_a_suite_are_of_its_own_paradigms(tmp_path: Path) -> None:
    """`s/sub` is a suite of its own, not a part of `s`."""
    rows = [("full", "m", 1, name, "accuracy", i / 10, at) for name in ("s/p", "s/sub/q") for i, at in enumerate(AT)]
    section = section_of(curves.sections, analysis(tmp_path, rows))
    assert section is not None
    own, nested = section.figures
    assert ("p\nat" in own.svg, "q\nat" in own.svg) == (True, False)
    assert ("p\nat" in nested.svg, "q\nat" in nested.svg) == (False, True)


def test_values_as_large_as_floats_can_be_are_drawn(tmp_path: Path) -> None:
    cells = [(seed, at) for seed in (1, 2, 3) for at in (*AT, "")]
    rows = [("full", "m", seed, "valid", "ppl", 1.7e308, at) for seed, at in cells]
    rows += [("full", "m", seed, "train", "loss", 1.7e308, at) for seed, at in cells]
    rows += [
        ("full", "m", seed, f"winobias/winobias-type1-dev-{g}", "delta", sign * (1 + seed / 10) * 1e299, at)
        for g, sign in (("female", -1), ("male", 1))
        for seed, at in cells
    ]
    found = analysis(tmp_path, rows)
    drawn = [
        figure.svg
        for section in (section_of(curves.sections, found), section_of(winobias.sections, found))
        if section
        for figure in section.figures
    ]
    assert len(drawn) == 3
    assert not any(re.search(r"\b(nan|inf)\b", svg) for svg in drawn)
    (row,) = (
        section_of(winobias.sections, found).tables[0].records()
    )  # 1.1, 1.2 and 1.3: mean 1.2, s = 0.1, t_{0.975, 2} = 4.302653
    assert row["male_low"] == pytest.approx((1.2 - 4.302653 * 0.1 / 3**0.5) * 1e299)


def test_without_checkpoints_there_are_no_curves(tmp_path: Path) -> None:
    found = analysis(tmp_path, [("full", "m", 1, "blimp/passive_1", "accuracy", 0.9, "")])
    assert section_of(curves.sections, found) is None
    assert section_of(winobias.sections, found) is None


def test_one_checkpoint_is_no_curve(tmp_path: Path) -> None:
    rows = [("full", "m", s, "blimp/passive_1", "accuracy", 0.5, 1_000) for s in (1, 2)]
    rows += [("full", "m", s, "train", "loss", 3.0, 1_000) for s in (1, 2)]
    section = section_of(curves.sections, analysis(tmp_path, rows))
    assert section is not None
    assert section.figures == ()
    assert len(section.tables[0].rows) == 4
    assert not section.visible


def test_one_checkpoint_of_each_seed_is_no_curve(tmp_path: Path) -> None:
    rows = [("full", "m", s, "train", "loss", 3.0, 1_000 * s) for s in (1, 2)]
    section = section_of(curves.sections, analysis(tmp_path, rows))
    assert section is not None
    assert section.figures == ()
    section = section_of(curves.sections, analysis(tmp_path, [*rows, ("full", "m", 2, "train", "loss", 2.0, 5_000)]))
    assert section is not None
    (figure,) = section.figures
    assert "at 1k: 3.00" in figure.svg and "at 5k: 2.00" in figure.svg


def test_each_suite_of_winobias_has_rows_and_figures_of_its_own(tmp_path: Path) -> None:
    (suite, rows), other = ("winobias", biased(2.0)), "winobias-mean"
    rows += [(*row[:3], row[3].replace("winobias/", f"{other}/"), row[4], 10.0, row[6]) for row in rows]
    made = analysis(tmp_path, rows)
    conventions = {suite: {"normalise": "sum"}, other: {"normalise": "mean"}}
    run = made.results.run.model_copy(update={"convention": conventions})
    section = section_of(winobias.sections, replace(made, results=replace(made.results, run=run)))
    assert section is not None
    found = {(row["suite"], row["type"]): row["male"] for row in section.tables[0].records()}
    assert found == {
        (suite, "1"): pytest.approx(4.015),
        (suite, "2"): pytest.approx(4.015),
        (other, "1"): 10.0,
        (other, "2"): 10.0,
    }
    assert section.tables[0].columns[0].shown
    assert [figure.name for figure in section.figures] == [f"winobias-{name}-full-m-dev" for name in (suite, other)]
    for figure, unit in zip(section.figures, ("nats", "nats per token"), strict=True):
        assert f">ΔNLL, {unit}<" in figure.svg
