"""Cards of the heatmap for narrow screens: one per condition, with the numbers of the wide figure."""

from xml.etree import ElementTree

import pytest

from runner.report.analysis.analysis import analyse
from runner.report.analysis.statistics import Unit
from runner.report.figures.grids.cards import cards
from runner.report.figures.grids.shades import delta_class
from runner.report.render import formatting
from runner.report.results.results import read_results
from runner.report.tables.cells import SIGNS
from tests.support.results import PARADIGMS, Fabricated

TARGET = PARADIGMS[0][1]


def parsed(markup: str) -> dict[str, ElementTree.Element]:
    """The `<details>` of each condition, by its name."""
    root = ElementTree.fromstring(markup.replace("<wbr>", ""))
    return {details[0][0].text: details for details in root.iter("details")}


def rows(details: ElementTree.Element) -> dict[str, list[str]]:
    """The texts of the cells of each named row."""
    lines = details.find("table").find("tbody")
    return {line[0].text: [cell.text for cell in line[1:]] for line in lines if len(line) > 1}


def sections(details: ElementTree.Element) -> list[str]:
    return [line[0].text for line in details.find("table").find("tbody") if len(line) == 1]


def test_a_card_for_each_condition_that_is_no_control(analysis) -> None:
    assert list(parsed(cards(analysis, "blimp", only_accuracies=False))) == ["agr-pp-mod", "det-noun"]
    every = parsed(cards(analysis, "blimp", only_accuracies=True))
    assert list(every) == [condition.name for condition in analysis.results.conditions]


def test_a_row_has_the_accuracies_of_full_then_the_changes(analysis) -> None:
    found = rows(parsed(cards(analysis, "blimp", only_accuracies=False))["agr-pp-mod"])
    assert found.keys() == {row[1] for row in PARADIGMS} | {"mean over paradigms"}
    unit, models = Unit("paradigm", "blimp", TARGET), analysis.results.models
    expected = [formatting.percent(analysis.accuracies[unit, "full", model].mean) for model in models]
    for reference in ("full", "agr-pp-mod.random"):
        for model in models:
            contrast = analysis.contrasts[unit, "agr-pp-mod", model, reference]
            expected.append(f"{formatting.points(contrast.difference.delta)} {SIGNS[contrast.verdict]}")
    assert found[TARGET] == expected


def test_targets_of_the_condition_come_first_and_alone_have_a_frame(analysis) -> None:
    details = parsed(cards(analysis, "blimp", only_accuracies=False))["agr-pp-mod"]
    assert next(iter(rows(details))) == TARGET
    assert sections(details)[:2] == ["TARGETED BY AGR-PP-MOD", "TARGETED BY OTHER CONDITIONS"]
    framed = [cell for cell in details.iter("td") if "target" in (cell.get("class") or "").split()]
    assert len(framed) == 2 * len(analysis.results.models)  # against full and the control
    assert all("pale" not in cell.get("class") for cell in framed)


def test_a_heading_has_the_mean_change_of_the_targets(analysis) -> None:
    for name, details in parsed(cards(analysis, "blimp", only_accuracies=False)).items():
        (chips,) = (span for span in details[0] if span.get("class") == "chips")
        (target,) = (Unit("paradigm", *key.split("/")) for key in analysis.targets[name])
        for chip, model in zip(chips, analysis.results.models, strict=True):
            delta = analysis.contrasts[target, name, model, f"{name}.random"].difference.delta
            assert (chip.text, chip.get("title")) == (formatting.points(delta), model)
            assert chip.get("class") == f"{delta_class(delta)} on-{delta_class(delta)}"


def test_without_targets_the_heading_has_the_mean_over_paradigms(tmp_path) -> None:
    folder = Fabricated(items=8, conditions=("full", "passive")).write(tmp_path / "results")
    found = analyse(read_results(folder))
    details = parsed(cards(found, "blimp", only_accuracies=False))["passive"]
    suite = Unit("suite", "blimp", "blimp")
    means = [found.contrasts[suite, "passive", model, "full"].difference.delta for model in found.results.models]
    assert [chip.text for chip in details[0].iter("b")] == [formatting.points(mean) for mean in means]
    assert "TARGETED BY OTHER CONDITIONS" not in sections(details)


@pytest.mark.parametrize(("models", "look"), [(("a", "b"), "many"), (("a",), None)])
def test_names_stand_above_more_than_four_columns(tmp_path, models, look) -> None:
    conditions = ("full", "agr-pp-mod", "agr-pp-mod.random")
    folder = Fabricated(items=4, models=models, conditions=conditions).write(tmp_path / "results")
    details = parsed(cards(analyse(read_results(folder)), "blimp", only_accuracies=False))["agr-pp-mod"]
    assert details.find("table").get("class") == look


def test_without_full_each_condition_has_its_accuracies(tmp_path) -> None:
    folder = Fabricated(items=4, conditions=("agr-pp-mod", "det-noun")).write(tmp_path / "results")
    found = analyse(read_results(folder))
    details = parsed(cards(found, "blimp", only_accuracies=False))["det-noun"]
    unit = Unit("paradigm", "blimp", TARGET)
    shown = [formatting.percent(found.accuracies[unit, "det-noun", model].mean) for model in found.results.models]
    assert rows(details)[TARGET] == shown
