"""What a failed cell, a missing seed and the baseline do to accuracies and to the power statement."""

import json
from pathlib import Path

import pytest

from runner.report.analysis.accuracies import unigram_accuracy
from runner.report.analysis.analysis import analyse
from runner.report.analysis.statistics import Unit
from runner.report.results.results import read_results
from runner.report.tables.tables import main_contrast
from runner.score.statistics.inference import minimum_detectable, pooled_sd
from tests.support.results import Fabricated


def test_a_failed_cell_leaves_the_other_seeds(tmp_path: Path) -> None:
    failed = [{"condition": "det-noun", "model": "lstm-128", "seed": 2, "error": "x"}]
    found = analyse(read_results(Fabricated(items=10, failed=failed).write(tmp_path / "results")))
    unit = Unit("paradigm", "blimp", "determiner_noun_agreement_1")
    contrast = found.contrasts[unit, "det-noun", "lstm-128", "det-noun.random"]
    assert (contrast.difference.n_a, contrast.difference.n_b) == (2, 3)
    assert contrast.paired is not None
    assert contrast.paired.n_a == 2


def test_a_condition_without_scores_is_left_out(tmp_path: Path) -> None:
    failed = [
        {"condition": "full", "model": m, "seed": s, "error": "x"}
        for m in ("lstm-128", "transformer-128")
        for s in (1, 2, 3)
    ]
    found = analyse(read_results(Fabricated(items=10, failed=failed).write(tmp_path / "results")))
    assert {c.against for c in found.contrasts.values()} == {"control"}
    assert found.probabilities == ()


def test_power_statement_pools_the_compared_cells(analysis) -> None:
    named = {(d.model, d.cells): d for d in analysis.detectable}
    everything = named["lstm-128", "all"]
    groups = [
        list(a.by_seed.values())
        for (u, _, m), a in analysis.accuracies.items()
        if u.level == "paradigm" and m == "lstm-128"
    ]
    assert everything.groups == len(groups) == 30
    assert everything.sd == pytest.approx(pooled_sd(groups))
    assert everything.delta == pytest.approx(minimum_detectable(everything.sd, 3, 3))
    assert named["lstm-128", "targeted"].groups == 6  # two paradigms under full, filtered and control


def test_baseline_is_the_full_corpus_unigram(analysis) -> None:
    unit = Unit("paradigm", "blimp", "only_npi_scope")
    assert unigram_accuracy(analysis, unit) == analysis.accuracies[unit, "full", "unigram"].mean
    assert unigram_accuracy(analysis, Unit("paradigm", "blimp", "none")) is None


def test_every_control_is_compared_and_the_first_is_shown(tmp_path: Path) -> None:
    folder = Fabricated(items=6).write(tmp_path / "results")
    conditions = json.loads((folder / "conditions.json").read_text())
    conditions[4]["control_of"] = "agr-pp-mod"  # det-noun.random becomes a second control
    (folder / "conditions.json").write_text(json.dumps(conditions))
    found = analyse(read_results(folder))
    unit = Unit("paradigm", "blimp", "distractor_agreement_relational_noun")
    references = [c.reference for c in found.targeted if (c.unit, c.model) == (unit, "lstm-128")]
    assert references == ["agr-pp-mod.random", "det-noun.random", "full"]
    shown = main_contrast(found, unit, "agr-pp-mod", "lstm-128", "control")
    assert shown.reference == "agr-pp-mod.random"
