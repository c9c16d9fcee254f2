"""The heatmap: the right number in the right cell, targeted cells outlined, shades by size."""

from pathlib import Path
from xml.etree import ElementTree

from runner import formatting
from runner.report.analysis import analyse
from runner.report.document import report_of
from runner.report.figures.heatmap import heatmap
from runner.report.page import render
from runner.report.results import read_results
from runner.report.statistics import Unit
from tests.support.results import Fabricated


def cells(svg: str) -> dict[str, ElementTree.Element]:
    root = ElementTree.fromstring(svg)
    return {group[0].text: group for group in root if group.tag == "g" and group.get("class") != "frozen"}


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
    assert formatting.interval(contrast.difference.low, contrast.difference.high) in tip
    by_bootstrap = contrast.differences_by_method["bootstrap"]
    assert formatting.interval(by_bootstrap.low, by_bootstrap.high) in tip


def test_targeted_cells_and_no_others_are_outlined(analysis) -> None:
    outlined = [tip for tip, group in cells(heatmap(analysis, "blimp")).items() if group[2].get("class") == "target"]
    assert len(outlined) == len(analysis.targeted_contrasts) == 8
    verdicts = ("fell;", "rose;", "held", "undecided;")
    assert all(any(verdict in tip for verdict in verdicts) for tip in outlined)


def test_changes_that_no_test_is_made_of_are_pale(analysis) -> None:
    for tip, group in cells(heatmap(analysis, "blimp")).items():
        outlined, accuracy = group[2].get("class") == "target", "\naccuracy " in tip
        assert ("pale" in group[1].get("class").split()) == (not outlined and not accuracy), tip
    assert "pale" not in heatmap(analysis, "blimp", only_accuracies=True)


def test_targeted_rows_come_first(analysis) -> None:
    root = ElementTree.fromstring(heatmap(analysis, "blimp"))
    (names,) = (group for group in root if group.get("class") == "frozen")
    labels = [e.text for e in names if e.tag == "text" and (e.get("class") or "").startswith("end")]
    assert set(labels[:2]) == {"distractor_agreement_relational_noun", "determiner_noun_agreement_1"}
    assert labels[-1] == "mean over paradigms"


def test_names_of_rows_cover_the_cells_that_scroll_under_them(analysis) -> None:
    root = ElementTree.fromstring(heatmap(analysis, "blimp"))
    names = next(group for group in root if group.get("class") == "frozen")
    ground, left = names[0], min(float(group[1].get("x")) for group in root if group.tag == "g" and group is not names)
    assert ground.get("class") == "ground"
    assert 0 < float(ground.get("width")) <= left
    after = list(root)[list(root).index(names) + 1 :]
    assert not any(element.tag == "g" for element in after)  # the names are painted over every cell


def test_one_seed_and_no_full_corpus_still_make_a_figure(tmp_path) -> None:
    one = Fabricated(items=8, seeds=(1,)).write(tmp_path / "one")
    assert "▾" not in "".join(g[-1].text for g in cells(heatmap(analyse(read_results(one)), "blimp")).values())
    bare = Fabricated(items=8, conditions=("agr-pp-mod", "agr-pp-mod.random")).write(tmp_path / "bare")
    found = cells(heatmap(analyse(read_results(bare)), "blimp"))
    assert any("accuracy" in tip for tip in found)


def test_a_run_whose_cells_all_failed_has_a_report_without_a_heatmap(tmp_path: Path) -> None:
    failed = [{"condition": "full", "model": "m", "seed": seed, "error": "killed"} for seed in (1, 2)]
    run = Fabricated(items=5, seeds=(1, 2), models=("m",), conditions=("full",), failed=failed)
    report = report_of(analyse(read_results(run.write(tmp_path / "results"))))
    assert not next(section for section in report.sections if section.id == "heatmap").visible
    assert "killed" in render(report, "x")
