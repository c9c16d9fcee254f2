"""Placebo draws on the page: behind the intervals, in a table, and beside the largest untargeted changes."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from runner import formatting
from runner.report.analysis import analyse
from runner.report.answer import answer
from runner.report.figures.forest import forest
from runner.report.records import PLACEBOS
from runner.report.results import read_results
from runner.report.sections import targeted
from runner.report.statistics import Unit
from runner.score.syntaxgym import Prediction
from runner.tables import grid
from tests.support.report import section_of
from tests.support.results import EFFECTS, PARADIGMS, Fabricated

TARGET, OTHER = (f"blimp/{row[1]}" for row in PARADIGMS[:2])


def with_draws(folder: Path, number: int, conditions: tuple[str, ...], seeds: tuple[int, ...] = (1, 2, 3)):
    sizes = {"sentences": 10, "words": 60, "removed_sentences": 2, "removed_words": 12}
    draws = [
        {"draw": k, "seed": (k - 1) % 3 + 1, **sizes,
         "models": {"lstm-128": {"accuracies": {TARGET: 0.8 + k / 1000, OTHER: 0.9}, "losses": {}}}}
        for k in range(1, number + 1)
    ]  # fmt: skip
    effects = EFFECTS | {("agr-pp-mod.random", PARADIGMS[0][1]): -0.1}
    folder = Fabricated(seeds=seeds, items=20, conditions=conditions, effects=effects).write(folder / "results")
    content = [{"name": "placebo", "control_of": "agr-pp-mod", "draws": draws}]
    (folder / PLACEBOS).write_text(json.dumps(content))
    return analyse(read_results(folder))


def test_draws_lie_behind_the_intervals_against_full(tmp_path: Path) -> None:
    drawn = forest(with_draws(tmp_path, 20, ("full", "agr-pp-mod")))
    assert len(re.findall(r'class="draw"', drawn)) == 20 + 1  # and the legend's
    assert "draw 20 of the placebo: " in drawn
    assert drawn.index("draw 1 of the placebo") < drawn.index('class="thick fell"')


def test_draws_have_the_baseline_of_their_row(tmp_path: Path) -> None:
    analysis = with_draws(tmp_path, 20, ("full", "agr-pp-mod", "agr-pp-mod.random"))
    drawn = forest(analysis)
    assert len(re.findall(r'class="draw"', drawn)) == 20 + 1
    unit = Unit("paradigm", "blimp", TARGET.partition("/")[2])
    control = analysis.accuracies[unit, "agr-pp-mod.random", "lstm-128"].by_seed
    assert control != analysis.accuracies[unit, "full", "lstm-128"].by_seed
    for draw in (1, 6, 20):
        change = formatting.points(0.8 + draw / 1000 - control[(draw - 1) % 3 + 1])
        assert f"<title>draw {draw} of the placebo: {change} against agr-pp-mod.random</title>" in drawn
    assert "placebo draws, from the same baseline" in drawn


def test_draws_of_seeds_that_the_baseline_lacks_are_left_out(tmp_path: Path) -> None:
    analysis = with_draws(tmp_path, 20, ("full", "agr-pp-mod"), seeds=(1, 3))
    assert {int(draw) % 3 for draw in re.findall(r"draw (\d+) of the placebo", forest(analysis))} == {1, 0}


def test_without_draws_in_the_figure_none_are_in_its_legend(analysis) -> None:
    drawn = forest(analysis)
    assert 'class="draw"' not in drawn
    assert "placebo draws" not in drawn


def test_the_table_says_p_and_what_it_cannot_reach(tmp_path: Path) -> None:
    section = section_of(
        targeted.placebos_section, with_draws(tmp_path, 20, ("full", "agr-pp-mod", "agr-pp-mod.random"))
    )
    assert section is not None
    assert "With fewer than 39 draws, p cannot reach 0.025: placebo (20 draws)." in section.intro
    first, second = section.tables[0].records()
    assert (first["paradigm"], first["targeted"], second["targeted"]) == (TARGET.partition("/")[2], True, False)
    assert first["p"] == pytest.approx(1 / 21)
    assert first["smallest_p"] == pytest.approx(1 / 21)
    assert first["lowest"] <= first["median"] <= first["highest"]
    assert grid(section.tables[0]).rows[0][-2].text == "0.048"


def test_paradigms_of_one_name_are_told_apart_by_their_suites(tmp_path: Path) -> None:
    analysis = with_draws(tmp_path, 20, ("full", "agr-pp-mod"))
    test, *_ = analysis.placebos
    name = test.paradigm.partition("/")[2]
    section = section_of(
        targeted.placebos_section, replace(analysis, placebos=(test, replace(test, paradigm=f"probe/{name}")))
    )
    assert section is not None
    assert [(row["suite"], row["paradigm"]) for row in section.tables[0].records()] == [
        ("blimp", name),
        ("probe", name),
    ]
    assert section.tables[0].columns[0].shown
    one_suite = section_of(targeted.placebos_section, analysis)
    assert one_suite is not None and not one_suite.tables[0].columns[0].shown


def test_numbers_of_draws_that_differ_by_model_or_paradigm_are_a_range(tmp_path: Path) -> None:
    analysis = with_draws(tmp_path, 20, ("full", "agr-pp-mod"))
    first, *others = analysis.placebos
    for number, shown in ((5, "5 to 20 draws"), (20, "20 draws")):
        tests = [replace(first, draws=first.draws[:number]), *others]
        section = section_of(targeted.placebos_section, replace(analysis, placebos=tests))
        assert section is not None
        assert section.intro.endswith(f" p cannot reach 0.025: placebo ({shown}).")


def test_predictions_are_said_not_to_be_tested(tmp_path: Path) -> None:
    analysis = with_draws(tmp_path, 39, ("full", "agr-pp-mod"))
    predictions = (Prediction("sg", "number_orc", "number_orc", "(7;%x%) > (8;%x%)"),)
    for found in ((), predictions):
        section = section_of(
            targeted.placebos_section, replace(analysis, results=replace(analysis.results, matrices=found))
        )
        assert section is not None
        assert ("Predictions of SyntaxGym are not tested." in section.intro) == bool(found)


def test_enough_draws_need_no_caution(tmp_path: Path) -> None:
    section = section_of(targeted.placebos_section, with_draws(tmp_path, 39, ("full", "agr-pp-mod")))
    assert section is not None and "cannot reach" not in section.intro


def test_the_answer_says_what_a_placebo_does_to_the_largest_changes(tmp_path: Path) -> None:
    analysis = with_draws(tmp_path, 20, ("full", "agr-pp-mod"))
    assert analysis.placebos
    paragraph = answer(analysis).paragraph
    said = re.findall(
        r"(\w+) under agr-pp-mod, lstm-128 [−+][\d.]+\d( \(placebo draws: [−+.\d]+ to [−+.\d]+\))?", paragraph
    )
    assert [bool(draws) for name, draws in said if f"blimp/{name}" == OTHER] == [True], paragraph
    assert all(c.holm is not None for c in analysis.targeted_contrasts)  # placebos are no part of the family


def test_no_placebos_no_section(analysis) -> None:
    assert section_of(targeted.placebos_section, analysis) is None
