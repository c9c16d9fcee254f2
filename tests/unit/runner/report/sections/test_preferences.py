"""Means and slopes of preferences, against statsmodels and numbers worked by hand, and their section of the report."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from scipy import stats

from runner.cli import fictc
from runner.errors import InputError
from runner.report.analysis import analyse
from runner.report.answer import answer
from runner.report.page import write_report
from runner.report.results import read_results
from runner.report.scored_results import results_of_scores, results_with_scores
from runner.report.sections import preferences as section_module
from runner.report.sections.preferences import MEAN, outcomes, pseudo_values
from runner.score.convention import Convention
from runner.score.pair_matrices import Score
from runner.score.preferences import ParadigmPreferences
from runner.score.suite_kind import Scores
from runner.score.sweep import write_scores
from tests.support.report import section_of
from tests.support.results import Fabricated

RNG = np.random.default_rng(4)
X = np.array([-3.0, -1.0, 0.0, 0.0, 2.0, 5.0, 6.0, 1.0])


def preference(differences: np.ndarray, cells: int = 1) -> ParadigmPreferences:
    labels = tuple(Score("full", "m", seed) for seed in range(1, cells + 1))
    return ParadigmPreferences("datives", "datives", labels, differences, {"x": X})


def test_a_slope_and_its_sandwich_variance_are_those_of_statsmodels() -> None:
    import statsmodels.api as sm

    y = 0.5 * X + RNG.normal(0, 1 + np.abs(X) / 3, len(X))
    (values,) = pseudo_values(preference(y[None]), "full", "m", "x").values()
    fit = sm.OLS(y, sm.add_constant(X)).fit(cov_type="HC0")
    n = len(X)
    assert values.mean() == pytest.approx(fit.params[1])
    assert values.var(ddof=1) / n == pytest.approx(fit.bse[1] ** 2 * n / (n - 1))


def test_a_pair_without_scores_is_left_out_of_a_slope() -> None:
    y = 2.0 * X + 1
    y[2] = np.nan
    (values,) = pseudo_values(preference(y[None]), "full", "m", "x").values()
    assert np.isnan(values[2]) and np.nanmean(values) == pytest.approx(2.0)
    flat = np.where(X == 0, 1.0, np.nan)
    assert pseudo_values(preference(flat[None]), "full", "m", "x") is None  # the covariate does not vary
    assert pseudo_values(preference(y[None]), "other", "m", "x") is None


@pytest.fixture
def run(tmp_path):
    """Five seeds of two conditions: under `swapped`, the first alternant scores 1 less, and x matters 0.5 more."""
    folder = Fabricated(items=5, seeds=(1, 2, 3, 4, 5), models=("m",), conditions=("full", "swapped")).write(
        tmp_path / "results"
    )
    rows = []
    for condition, shift, slope in (("full", 0.0, 0.0), ("swapped", -1.0, 0.5)):
        for seed in (1, 2, 3, 4, 5):
            noise = np.random.default_rng([seed]).normal(0, 0.1, len(X))
            for item, x in enumerate(X.tolist()):
                texts = {"item": item, "first": f"a{item}", "second": f"b{item}", "score_second": -9.0}
                score = -9.0 + 0.25 + shift + slope * (x - X.mean()) + float(noise[item])
                cell = {"condition": condition, "model": "m", "seed": seed, "suite": "datives", "paradigm": "datives"}
                rows.append(cell | texts | {"score_first": score})
    pq.write_table(pa.Table.from_pylist(rows), folder / "preferences.parquet")
    (folder / "covariates.json").write_text(json.dumps({"datives": {"x": X.tolist()}}), encoding="utf-8")
    told = json.loads((folder / "conditions.json").read_text(encoding="utf-8"))
    told[1] |= {"kind": "rewrite", "control_of": None}
    (folder / "conditions.json").write_text(json.dumps(told), encoding="utf-8")
    return folder


def test_outcomes_stand_per_condition_and_against_the_full_one(run) -> None:
    found = {(row.measure, row.condition): row for row in outcomes(read_results(run))}
    mean, slope = found[MEAN, "swapped"], found["x", "swapped"]
    assert mean.reference == "full" and mean.reference_kind == "full" and found[MEAN, "full"].reference is None
    assert mean.value.estimate == pytest.approx(-0.75, abs=0.1) and mean.value.low < -1.0  # not cut at −1
    assert mean.difference is not None and mean.difference.estimate == pytest.approx(-1.0)
    assert slope.difference is not None and slope.difference.estimate == pytest.approx(0.5)
    assert slope.first_share is None and mean.first_share == pytest.approx(
        np.mean(-0.75 + 0.5 * (X - X.mean()) > 0), abs=0.15
    )
    assert mean.value.design == "paired" and mean.value.seeds[0] == 5 and mean.value.items == len(X)


@pytest.mark.parametrize(
    ("external", "seeds", "design"),
    [
        (frozenset(), (1, 2, 3, 4, 5), "paired"),
        (frozenset({Score("swapped", "m", 1)}), (1, 2, 3, 4, 5), "unpaired"),  # its seeds are not those of the run
        (frozenset({Score("full", "m", 1)}), (1, 2, 3, 4, 5), "unpaired"),
        (frozenset(), (1, 2, 3, 4), "paired"),  # one model failed; four seeds are left on both sides
        (frozenset(), (1, 2, 3), "common variance"),
    ],
)
def test_seeds_are_paired_as_for_accuracies(run, external, seeds, design) -> None:
    table = pq.read_table(run / "preferences.parquet").to_pylist()
    kept = [row for row in table if row["condition"] == "full" or row["seed"] in seeds]
    pq.write_table(pa.Table.from_pylist(kept), run / "preferences.parquet")
    results = replace(read_results(run), external_cells=external)
    row = next(row for row in outcomes(results) if (row.measure, row.condition) == (MEAN, "swapped"))
    assert row.difference is not None and row.difference.design == design
    assert row.difference.seeds == ((len(seeds),) * 2 if design == "paired" else (len(seeds), 5))


def test_one_seed_has_the_interval_of_a_t_test_over_pairs(tmp_path, run) -> None:
    table = pq.read_table(run / "preferences.parquet").to_pylist()
    pq.write_table(pa.Table.from_pylist([row for row in table if row["seed"] == 2]), run / "preferences.parquet")
    row = next(row for row in outcomes(read_results(run)) if (row.measure, row.condition) == (MEAN, "swapped"))
    scores = [r["score_first"] - r["score_second"] for r in table if r["seed"] == 2 and r["condition"] == "swapped"]
    half = stats.t.ppf(0.975, len(scores) - 1) * stats.sem(scores)
    assert (row.value.low, row.value.high) == pytest.approx((np.mean(scores) - half, np.mean(scores) + half))
    assert row.value.p == pytest.approx(stats.ttest_1samp(scores, 0).pvalue) and row.value.design == "items"


def test_the_report_has_a_table_and_a_figure_of_each_outcome(run, tmp_path) -> None:
    section = section_of(section_module.sections, analyse(read_results(run)))
    assert section is not None
    records = section.tables[0].records()
    assert [(r["outcome"], r["condition"]) for r in records] == [
        (o, c) for o in (MEAN, "x") for c in ("full", "swapped")
    ]
    assert all(math.isfinite(r["low"]) and r["low"] < r["value"] < r["high"] and r["pairs"] == len(X) for r in records)
    names = [figure.name for figure in section.figures]
    assert names == ["preference-datives-datives-mean", "preference-datives-datives-x"]
    page = write_report(run, tmp_path / "out")
    assert "Preferences between alternants" in page.read_text(encoding="utf-8")
    assert (tmp_path / "out" / "report" / "preferences.csv").exists()
    plain = analyse(read_results(Fabricated(items=5).write(tmp_path / "plain")))
    assert section_of(section_module.sections, plain) is None


def test_the_answer_counts_preferences_that_differ(run) -> None:
    text = answer(analyse(read_results(run))).paragraph
    assert text.startswith(
        "Of 2 preferences between alternants (means and slopes on covariates), 1 differs from that of the control or, "
        "without one, of the full corpus: the slope on x under swapped, +0.50 ["
    )
    assert "against full. The 95 % intervals are not adjusted for their number: about 0.1 would exclude 0 by" in text
    assert "nothing is tested" in text  # the run has minimal pairs too, without a target


def scored(run, path, condition: str, *, cell: Score | None = None, covariates: str = "x", shift: float = 0.0):
    """Write the scores of a cell of the run as `fictc score` does."""
    table = pa.Table.from_pylist([
        {"paradigm": row["paradigm"], "item": row["item"], "good": row["first"], "bad": row["second"]}
        | {"score_good": row["score_first"] + shift, "score_bad": row["score_second"]}
        for row in pq.read_table(run / "preferences.parquet").to_pylist()
        if (row["condition"], row["seed"]) == (condition, 1)
    ])  # fmt: skip
    table = table.replace_schema_metadata({"covariates": json.dumps({covariates: X.tolist()})})
    write_scores([Scores(path.stem, "", "datives", Convention(), table, cell=cell)], "default", path)
    return path


def test_files_of_scores_are_reported_as_a_run_is(run, tmp_path) -> None:
    files = [scored(run, tmp_path / f"{name}.parquet", name) for name in ("full", "swapped")]
    results = results_of_scores(files, "full")
    assert not results.paradigms and results.models == ("saved model",)
    found = {(row.measure, row.condition): row for row in outcomes(results)}
    assert found[MEAN, "swapped"].difference.estimate == pytest.approx(-1.0)
    assert found["x", "swapped"].difference.estimate == pytest.approx(0.5)
    section = section_of(section_module.sections, analyse(results))
    assert section is not None and len(section.tables[0].records()) == 4
    for form in ("text", "json"):
        done = CliRunner().invoke(fictc, ["report", *map(str, files), "--baseline", "full", "--format", form])
        assert done.exit_code == 0 and "swapped" in done.output and "alternants" in done.output, done.output
    page = tmp_path / "page.html"
    assert CliRunner().invoke(fictc, ["report", *map(str, files), "--baseline", "full", "-o", str(page)]).exit_code == 0
    assert "Preferences between alternants" in page.read_text(encoding="utf-8")


def test_models_are_compared_on_alternants(run, tmp_path) -> None:
    files = [scored(run, tmp_path / f"{name}.parquet", "full", shift=shift) for name, shift in (("a", 0), ("b", 1))]
    means = {row.model: row.value.estimate for row in outcomes(results_of_scores(files)) if row.measure == MEAN}
    assert means["b"] - means["a"] == pytest.approx(1.0)


def test_covariates_of_one_name_have_the_same_numbers(run, tmp_path) -> None:
    one, other = (scored(run, tmp_path / f"{name}.parquet", "full") for name in ("one", "other"))
    read = pq.read_table(other)
    metadata = read.schema.metadata | {b"covariates": json.dumps({"x": (X + 1).tolist()}).encode()}
    pq.write_table(read.replace_schema_metadata(metadata), other)
    with pytest.raises(InputError, match="other values of `x`"):
        results_of_scores([one, other])


def test_scores_join_the_preferences_of_a_run(run, tmp_path) -> None:
    card = json.loads((run / "run.json").read_text(encoding="utf-8"))
    card["convention"] = {"datives": asdict(Convention())}
    (run / "run.json").write_text(json.dumps(card), encoding="utf-8")
    cells = [Score("full", "m", 9), Score("swapped", "gpt2", 1)]
    files = [scored(run, tmp_path / f"{cell.seed}.parquet", cell.condition, cell=cell, shift=3) for cell in cells]
    found = results_with_scores(run, files)
    (preference,) = found.matrices
    assert set(preference.differences_by_seed("full", "m")) == {1, 2, 3, 4, 5, 9} and set(
        preference.differences_by_seed("swapped", "gpt2")
    ) == {1}
    assert "gpt2" in found.models and len(found.paradigms) == len(read_results(run).paradigms)
    with pytest.raises(InputError, match="a cell of the run"):
        results_with_scores(run, [scored(run, tmp_path / "twice.parquet", "full", cell=Score("full", "m", 1))])


def test_scores_of_other_alternants_are_refused(run, tmp_path) -> None:
    file = scored(run, tmp_path / "file.parquet", "full")
    read = pq.read_table(file)
    pq.write_table(read.set_column(2, "good", pa.array(["other"] * read.num_rows)), file)
    with pytest.raises(InputError, match="different pairs"):
        results_of_scores([scored(run, tmp_path / "first.parquet", "full"), file])


def test_other_pairs_in_a_cell_are_refused(run) -> None:
    table = pq.read_table(run / "preferences.parquet")
    pq.write_table(table.slice(0, table.num_rows - 1), run / "preferences.parquet")
    with pytest.raises(InputError) as caught:
        read_results(run)
    assert [problem.code for problem in caught.value.diagnostics] == ["FICT892"]
