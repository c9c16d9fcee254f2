"""What scores are called follows from the convention of their suite, in every part of the report."""

from pathlib import Path
from typing import get_args

import pytest

from runner.report.analysis import analyse
from runner.report.document import report_of, to_json
from runner.report.page import render
from runner.report.records import RunCard
from runner.report.results import read_results
from runner.report.statistics import NAMES, SEVERAL, score_name
from runner.score.convention import Normalise
from tests.support.results import Fabricated


def test_every_way_to_normalise_has_a_name() -> None:
    assert set(NAMES) == set(get_args(Normalise))
    for how, name in NAMES.items():
        assert score_name(RunCard(name="x", convention={"blimp": {"normalise": how}}), ["blimp"]) == name


def test_suites_that_are_scored_in_several_ways_have_no_unit_in_common() -> None:
    run = RunCard(name="x", convention={"one": {"normalise": "sum"}, "two": {"normalise": "slor"}})
    assert score_name(run, ["one"]) == score_name(run, ["not described"]) == score_name(run, []) == NAMES["sum"]
    assert score_name(run, ["one", "two"]) == SEVERAL


@pytest.mark.parametrize("how", ["sum", "mean", "slor"])
def test_the_whole_report_calls_scores_by_their_name(tmp_path: Path, how: Normalise) -> None:
    paradigms = (
        ("blimp", "determiner_noun_agreement_1", "determiner_noun_agreement", "morphology", 0.9),
        ("blimp", "winobias-type1-dev-female", "", "", 0.6),
    )
    card = {"convention": {"blimp": {"normalise": how}}}
    folder = Fabricated(items=6, paradigms=paradigms, card=card).write(tmp_path / "results")
    report = report_of(analyse(read_results(folder)))
    texts = [render(report, "x"), to_json(report)]
    name = NAMES[how]
    for text in texts:
        assert name.difference in text
    page = texts[0]
    assert f"PΔ full, {name.unit}" in page
    assert f"after − full, {name.unit}, with" in page
    assert f'"term":"{name.term}","unit":"{name.unit}"' in page
    formula = {
        "sum": "ΔNLL = NLL(anti-stereotyped) − NLL(pro-stereotyped), nats, ",
        "mean": "ΔNLL = NLL(anti-stereotyped) − NLL(pro-stereotyped), nats per token, ",
        "slor": "ΔSLOR = SLOR(pro-stereotyped) − SLOR(anti-stereotyped), ",
    }
    assert formula[how] in page
    for other in set(NAMES.values()) - {name}:
        assert other.difference not in page
        assert f"PΔ full, {other.unit}<" not in page
