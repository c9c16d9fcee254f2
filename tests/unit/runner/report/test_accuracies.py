"""What a failed cell, a missing seed and the baseline do to accuracies and to the power statement."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from runner.report.accuracies import unigram_accuracy
from runner.report.analysis import analyse
from runner.report.contrast_tables import main_contrast
from runner.report.contrasts import contrast_limits
from runner.report.results import read_results
from runner.report.statistics import Unit
from runner.score.inference import pooled_sd
from runner.score.power import power_limits
from tests.support.results import Fabricated


def test_a_failed_cell_leaves_the_other_seeds(tmp_path: Path) -> None:
    failed = [{"condition": "det-noun", "model": "lstm-128", "seed": 2, "error": "x"}]
    found = analyse(read_results(Fabricated(items=10, failed=failed).write(tmp_path / "results")))
    unit = Unit("paradigm", "blimp", "determiner_noun_agreement_1")
    contrast = found.contrasts[unit, "det-noun", "lstm-128", "det-noun.random"]
    assert (contrast.difference.n_a, contrast.difference.n_b) == (2, 3)
    assert "paired" in contrast.differences_by_method
    assert contrast.differences_by_method["paired"].n_a == 2


def test_a_condition_without_scores_is_left_out(tmp_path: Path) -> None:
    failed = [
        {"condition": "full", "model": m, "seed": s, "error": "x"}
        for m in ("lstm-128", "transformer-128")
        for s in (1, 2, 3)
    ]
    found = analyse(read_results(Fabricated(items=10, failed=failed).write(tmp_path / "results")))
    assert {c.reference_kind for c in found.contrasts.values()} == {"control"}
    assert found.probability_deltas == ()


def test_power_follows_from_the_intervals_of_the_report(analysis) -> None:
    named = {(d.model, d.paradigms): d for d in analysis.detectable}
    targeted = named["lstm-128", "targeted"]
    contrasts = [c for c in analysis.targeted_contrasts if c.model == "lstm-128"]
    assert targeted.contrasts == len(contrasts) == 4  # two paradigms against control and full
    shifts = [contrast_limits(c, 0.95) for c in contrasts]
    assert (targeted.detectable_change, targeted.provable_margin) == pytest.approx(tuple(np.median(shifts, axis=0)))
    cells = {(c.unit, name, c.model) for c in contrasts for name in (c.condition, c.reference)}
    assert targeted.sd == pytest.approx(pooled_sd([list(analysis.accuracies[cell].by_seed.values()) for cell in cells]))


def test_limits_have_the_power_that_they_claim() -> None:
    """Simulated: a t interval rejects at the detectable change, and lies in the provable margin without one, in 80 %."""
    rng, df, se = np.random.default_rng(1), 8, 0.02
    detected, held = power_limits(se, df)
    scale = se * np.sqrt(rng.chisquare(df, 40_000) / df)
    half, noise = stats.t.ppf(0.975, df) * scale, se * rng.standard_normal(40_000)
    assert np.mean(np.abs(noise + detected) > half) == pytest.approx(0.8, abs=0.01)
    assert np.mean(np.abs(noise) + half < held) == pytest.approx(0.8, abs=0.05)


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
    references = [c.reference for c in found.targeted_contrasts if (c.unit, c.model) == (unit, "lstm-128")]
    assert references == ["agr-pp-mod.random", "det-noun.random", "full"]
    shown = main_contrast(found, unit, "agr-pp-mod", "lstm-128", "control")
    assert shown.reference == "agr-pp-mod.random"
