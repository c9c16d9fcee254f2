"""The wide table and the pairs on the page: bounded, chosen as said, and unable to end their script element."""

import json

import numpy as np
import pytest

from runner.report import page as wide
from runner.report.accuracy_tables import condition_models, groups, paradigms
from runner.report.analysis import analyse
from runner.report.results import read_results
from runner.score.measures import probability_delta
from runner.tables import plain
from tests.support.results import HOSTILE, Fabricated


def test_pairs_are_bounded_and_chosen_as_said(analysis, monkeypatch) -> None:
    data = json.loads(wide.item_data(analysis))
    assert len(data["columns"]) == 10
    values_by_benchmark = dict(zip([p.name for p in analysis.results.paradigms], data["paradigms"], strict=True))
    plain = values_by_benchmark["only_npi_scope"]
    assert [pair[0] for pair in plain["pairs"]] == list(range(20))
    assert plain["how"] == "the first 20 of 60 pairs"
    aimed = values_by_benchmark["distractor_agreement_relational_noun"]
    assert len(aimed["pairs"]) == 40
    assert "changed most" in aimed["how"]
    monkeypatch.setattr(wide, "MAX_NUMBERS", 1)
    assert all(len(p["pairs"]) == 5 for p in json.loads(wide.item_data(analysis))["paradigms"])


def test_scores_are_means_over_seeds_and_make_the_probability_delta(analysis) -> None:
    data = json.loads(wide.item_data(analysis))
    paradigm = analysis.results.paradigms[0]
    column = data["columns"].index(["agr-pp-mod", "lstm-128"])
    _, good, bad = paradigm.scores("agr-pp-mod", "lstm-128")
    expected = probability_delta(good, bad)
    for item, notes, text, _, *scores in data["paradigms"][0]["pairs"]:
        index = paradigm.item.tolist().index(item)
        assert text == paradigm.good[index]
        assert ("unknown word" in notes) == paradigm.unknown[:, index].any()
        assert ("identical" in notes) == paradigm.identical[:, index].any()
        assert ("tie in" in notes) == bool((paradigm.score_good[:, index] == paradigm.score_bad[:, index]).any())
        mine = scores[2 * column : 2 * column + 2]
        if np.isnan(expected[index]):
            assert mine == [None, None]
        else:
            assert mine == [round(float(good[:, index].mean()), 2), round(float(bad[:, index].mean()), 2)]
            assert mine[0] - mine[1] == pytest.approx(expected[index], abs=0.011)


def test_text_cannot_leave_its_script_element(analysis) -> None:
    text = wide.item_data(analysis)
    assert "<" not in text
    assert ">" not in text
    assert any(HOSTILE in pair[2] for p in json.loads(text)["paradigms"] for pair in p["pairs"])


def test_groups_follow_the_suite_mean(analysis) -> None:
    rows, grouped = paradigms(analysis, "blimp").rows, groups(analysis, "blimp").rows
    names = [p.name for p in analysis.results.paradigms]
    targeted = ["distractor_agreement_relational_noun", "determiner_noun_agreement_1"]  # in the order of conditions
    assert [plain(row[0]) for row in rows] == [*targeted, *(name for name in names if name not in targeted)]
    assert grouped[0][:3] == ("mean over paradigms", "suite", 6)
    assert sum("targeted" in row[0].css_class for row in rows) == 2


def test_columns_without_scores_are_left_out(tmp_path) -> None:
    failed = [{"condition": "det-noun", "model": "lstm-128", "seed": s, "error": "x"} for s in (1, 2, 3)]
    found = analyse(read_results(Fabricated(items=4, failed=failed).write(tmp_path / "results")))
    assert ("det-noun", "lstm-128") not in condition_models(found)
    assert len(condition_models(found)) == 9
