"""The heatmap: the right number in the right cell, targeted cells outlined, shades by size."""

from xml.etree import ElementTree

import pytest

from runner.report.analysis.analysis import analyse
from runner.report.analysis.statistics import Unit
from runner.report.figures.heatmap import accuracy_class, delta_class, heatmap
from runner.report.render import formatting
from runner.report.results.results import read_results
from tests.support.results import Fabricated


@pytest.mark.parametrize(("value", "shade"), [(0.2, "a0"), (0.4, "a1"), (0.65, "a3"), (0.9, "a6"), (1.0, "a6")])
def test_accuracy_shades(value: float, shade: str) -> None:
    assert accuracy_class(value) == shade


@pytest.mark.parametrize(
    ("value", "shade"), [(0.0, "z"), (0.0099, "z"), (-0.01, "n1"), (0.04, "p2"), (-0.3, "n6"), (0.16, "p5")]
)
def test_delta_shades(value: float, shade: str) -> None:
    assert delta_class(value) == shade


def cells(svg: str) -> dict[str, ElementTree.Element]:
    root = ElementTree.fromstring(svg)
    return {group[0].text: group for group in root if group.tag == "g"}


def test_every_cell_says_its_number(analysis) -> None:
    found = cells(heatmap(analysis, "blimp"))
    # 6 paradigms and their mean × (2 full + 2 conditions × 2 references × 2 models)
    assert len(found) == 7 * (2 + 2 * 2 * 2)
    unit = Unit("paradigm", "blimp", "distractor_agreement_relational_noun")
    contrast = analysis.contrasts[unit, "agr-pp-mod", "lstm-128", "agr-pp-mod.random"]
    tip, group = next(
        (t, g) for t, g in found.items() if "lstm-128" in t and "agr-pp-mod.random " in t and unit.name in t
    )
    assert formatting.points(contrast.difference.delta) in group[-1].text
    assert "▾" in group[-1].text  # the interval lies below zero
    assert "fell" in tip
    assert formatting.interval(contrast.difference) in tip
    assert formatting.interval(contrast.methods["bootstrap"]) in tip


def test_targeted_cells_and_no_others_are_outlined(analysis) -> None:
    outlined = [tip for tip, group in cells(heatmap(analysis, "blimp")).items() if group[2].get("class") == "target"]
    assert len(outlined) == len(analysis.targeted) == 8
    verdicts = ("fell;", "rose;", "held", "undecided;")
    assert all(any(verdict in tip for verdict in verdicts) for tip in outlined)


def test_changes_that_no_test_is_made_of_are_pale(analysis) -> None:
    for tip, group in cells(heatmap(analysis, "blimp")).items():
        outlined, accuracy = group[2].get("class") == "target", "\naccuracy " in tip
        assert ("pale" in group[1].get("class").split()) == (not outlined and not accuracy), tip
    assert "pale" not in heatmap(analysis, "blimp", only_accuracies=True)


def test_targeted_rows_come_first(analysis) -> None:
    root = ElementTree.fromstring(heatmap(analysis, "blimp"))
    labels = [e.text for e in root if e.tag == "text" and (e.get("class") or "").startswith("end")]
    assert set(labels[:2]) == {"distractor_agreement_relational_noun", "determiner_noun_agreement_1"}
    assert labels[-1] == "mean over paradigms"


def test_one_seed_and_no_full_corpus_still_make_a_figure(tmp_path) -> None:
    one = Fabricated(items=8, seeds=(1,)).write(tmp_path / "one")
    assert "▾" not in "".join(g[-1].text for g in cells(heatmap(analyse(read_results(one)), "blimp")).values())
    bare = Fabricated(items=8, conditions=("agr-pp-mod", "agr-pp-mod.random")).write(tmp_path / "bare")
    found = cells(heatmap(analyse(read_results(bare)), "blimp"))
    assert any("accuracy" in tip for tip in found)
