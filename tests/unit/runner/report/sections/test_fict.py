"""Figures 3 to 7 of the FiCT paper from a made-up run: what stands in them is what the scores say."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from runner.report.analysis import analyse
from runner.report.results import read_results
from runner.report.sections import accuracies, corpora, models, perplexities
from runner.tables import grid
from tests.support.report import section_of
from tests.support.results import Fabricated


def test_models_against_each_other(analysis) -> None:
    section = section_of(models.between_models_section, analysis)
    assert section is not None
    (table,) = section.tables
    rows = {row["paradigm"]: row for row in table.records()}
    assert set(rows) == {"distractor_agreement_relational_noun", "determiner_noun_agreement_1"}
    row = rows["determiner_noun_agreement_1"]
    one, other = (
        next(
            p
            for p in analysis.probability_deltas
            if (p.unit.name, p.condition, p.model) == (row["paradigm"], "det-noun", m)
        )
        for m in ("lstm-128", "transformer-128")
    )
    usable = np.isfinite(one.full_deltas)
    assert row["r_full"] == pytest.approx(np.corrcoef(one.full_deltas[usable], other.full_deltas[usable])[0, 1])
    assert (row["full_a"], row["after_b"], row["r_a"]) == (one.full, other.under_condition, one.robustness)


def test_quadrants_count_every_pair(analysis) -> None:
    section = section_of(models.between_models_section, analysis)
    svg = next(figure.svg for figure in section.figures if figure.name.startswith("pairs-det-noun"))
    counted = [int(n) for n in re.findall(r"(?:both|alone|neither) (\d+)<", svg)]
    assert len(counted) == 8
    assert sum(counted[:4]) == sum(counted[4:]) == 59  # of 60 pairs one is identical to the tokenizer


def test_perplexity_of_sentences_is_that_of_their_sums(analysis) -> None:
    section = section_of(perplexities.sentences_section, analysis)
    assert section is not None
    row = next(r for r in section.tables[0].records() if (r["model"], r["condition"]) == ("lstm-128", "det-noun"))
    paradigm = next(p for p in analysis.results.paradigms if p.name == "determiner_noun_agreement_1")
    _, good, _ = paradigm.scores("det-noun", "lstm-128")
    by_seed = [math.exp(-np.nansum(seed) / (8 * np.isfinite(seed).sum())) for seed in good]
    assert row["good"] == pytest.approx(np.mean(by_seed))
    assert row["bad"] > row["good"]
    assert row["paradigms"] == 1


def test_all_accuracies_stand_in_one_figure(analysis) -> None:
    section = section_of(accuracies.all_accuracies_section, analysis)
    assert section is not None
    (figure,) = section.figures
    assert figure.svg.count('class="target"') == 2 * 2 + 1  # targeted paradigms × models, and the legend
    assert figure.svg.count("accuracy ") >= 6 * 5 * 2


def test_one_model_alone_has_no_such_parts(tmp_path: Path) -> None:
    made = Fabricated(items=5, models=("lstm-128",), conditions=("full",))
    found = analyse(read_results(made.write(tmp_path / "results")))
    assert section_of(models.between_models_section, found) is None
    assert section_of(accuracies.all_accuracies_section, found) is None


def test_what_filters_take_out_and_what_they_target(tmp_path: Path) -> None:
    folder = Fabricated(items=4).write(tmp_path / "results")
    conditions = json.loads((folder / "conditions.json").read_text())
    of = {condition["name"]: condition for condition in conditions}
    of["det-noun"]["coverage"] = {"blimp/determiner_noun_agreement_1": [3, 4]}
    for condition in conditions:
        condition["base_sentences"] = 19_080
    (folder / "conditions.json").write_text(json.dumps(conditions))
    section = section_of(corpora.removals_section, analyse(read_results(folder)))
    assert section is not None
    rows = {(row["condition"], row["paradigm"]): row for row in section.tables[0].records()}
    assert {condition for condition, _ in rows} == {"agr-pp-mod", "det-noun"}  # no controls
    row = rows["det-noun", "determiner_noun_agreement_1"]
    assert (row["targeted"], row["items"]) == (0.75, 4)
    assert (row["removed"], row["tokens"]) == (954 / 19_080, pytest.approx((216_000 - 12 * 954) / 216_000))
    assert rows["agr-pp-mod", "distractor_agreement_relational_noun"]["targeted"] is None
    assert [head.title for head in grid(section.tables[0]).heads][2] == "items targeted, %"
    del of["det-noun"]["coverage"]
    (folder / "conditions.json").write_text(json.dumps(conditions))
    without = section_of(corpora.removals_section, analyse(read_results(folder)))
    assert [head.title for head in grid(without.tables[0]).heads][2] == "sentences removed, %"
