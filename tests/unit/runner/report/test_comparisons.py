"""Paired tests over corpora and benchmarks, against scipy on means that are worked out here row by row."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from runner.report.analysis import analyse
from runner.report.imported_results import results_of
from runner.report.long_form import read_long_form
from runner.report.records import Condition, RunCard
from runner.report.results import Results, TextPerplexity
from runner.report.sections.models import comparison_label
from runner.report.sections.perplexities import perplexity
from runner.report.statistics import Analysis, Comparison
from tests.support import long_form

TABLE = long_form.rows()


@pytest.fixture(scope="module")
def analysis(tmp_path_factory) -> Analysis:
    path = long_form.write(tmp_path_factory.mktemp("table") / "results.csv", TABLE)
    return analyse(results_of(read_long_form(path), targets=long_form.TARGETS))


def cells(model: str, corpora=long_form.CORPORA, *, targeted: bool = False) -> list[tuple[str, str, float]]:
    """Corpus, paradigm and accuracy, the mean over seeds, straight from the rows."""
    return [
        (corpus, paradigm, float(np.mean([r[5] for r in TABLE if r[:2] == (corpus, model) and r[3] == f"blimp/{paradigm}"])))
        for corpus in corpora
        for paradigm in long_form.PARADIGMS
        if not targeted or f"blimp/{paradigm}" in long_form.TARGETS.get(corpus, ())
    ]  # fmt: skip


def deltas(model: str, corpora=long_form.CORPORA, *, targeted: bool = False) -> list[tuple[str, str, float]]:
    full = {paradigm: value for _, paradigm, value in cells(model, ["full"])}
    return [(corpus, paradigm, value - full[paradigm]) for corpus, paradigm, value in cells(model, corpora, targeted=targeted)]  # fmt: skip


def means(values: list[tuple[str, str, float]], place: int) -> list[float]:
    names = dict.fromkeys(value[place] for value in values)
    return [float(np.mean([value[2] for value in values if value[place] == name])) for name in names]


def only(analysis: Analysis, **wanted: object) -> Comparison:
    found = [c for c in analysis.comparisons if all(getattr(c, name) == value for name, value in wanted.items())]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("units", ["corpora", "benchmarks"])
@pytest.mark.parametrize("measure", ["accuracy", "accuracy delta"])
@pytest.mark.parametrize("targeted", [False, True])
@pytest.mark.parametrize("with_full", [True, False])
def test_models_over_units(analysis: Analysis, units: str, measure: str, targeted: bool, with_full: bool) -> None:
    if targeted and with_full:
        return  # full targets nothing
    found = only(
        analysis,
        measure=measure,
        units=units,
        paradigms="targeted" if targeted else "all",
        with_full=with_full,
        within="",
        model="",
    )
    corpora = long_form.CORPORA if with_full else long_form.CORPORA[1:]
    of = cells if measure == "accuracy" else deltas
    sides = [means(of(m, corpora, targeted=targeted), units == "benchmarks") for m in ("lstm", "transformer")]
    theirs = stats.ttest_rel(*sides)
    assert (found.a, found.b, found.test.n) == ("lstm", "transformer", len(sides[0]))
    assert found.test.mean_a == pytest.approx(np.mean(sides[0]))
    assert (found.test.t, found.test.p) == (pytest.approx(theirs.statistic), pytest.approx(theirs.pvalue))


def test_perplexities_are_compared_within_a_kind_of_model() -> None:
    models = ("bert", "roberta", "gpt")
    texts = tuple(
        TextPerplexity(condition, model, 1, "test", 2 + place / 10 + number, 100)
        for place, condition in enumerate(("full", "less"))
        for number, model in enumerate(models)
    )
    conditions = tuple(
        Condition(name=n, kind=k, sentences=1, words=1) for n, k in (("full", "full"), ("less", "given"))
    )
    named = tuple({"name": model} | ({"masked": True} if model != "gpt" else {}) for model in models)
    analysis = analyse(Results((), texts, conditions, RunCard(name="kinds", models=named)))
    assert {(one.a, one.b) for one in analysis.comparisons} == {("bert", "roberta")}
    told = {row[1]: row[7] for row in perplexity(analysis).rows}
    assert told == {"bert": True, "roberta": True, "gpt": False}


def test_deltas_with_the_baseline_hold_its_zero(analysis: Analysis) -> None:
    """With full, the mean over four corpora is three quarters of that over the three others."""
    with_full, without = (
        only(analysis, measure="accuracy delta", units="corpora", paradigms="all", with_full=with_full, within="")
        for with_full in (True, False)
    )
    assert with_full.test.mean_a == pytest.approx(0.75 * without.test.mean_a)


def test_the_unit_matters(analysis: Analysis) -> None:
    """passive has two benchmarks, so that the mean over corpora weighs each of them half as much."""
    by_corpus, by_benchmark = (
        only(analysis, measure="accuracy", units=units, paradigms="targeted", within="")
        for units in ("corpora", "benchmarks")
    )
    assert (by_corpus.test.n, by_benchmark.test.n) == (3, 4)
    assert by_corpus.test.mean_a != pytest.approx(by_benchmark.test.mean_a)


def test_perplexity_over_corpora(analysis: Analysis) -> None:
    found = only(analysis, measure="perplexity of test", with_full=True)
    sides = [
        [np.mean([r[5] for r in TABLE if r[:2] == (c, m) and r[4] == "ppl"]) for c in long_form.CORPORA]
        for m in ("lstm", "transformer")
    ]
    assert found.test.t == pytest.approx(stats.ttest_rel(*sides).statistic)


def test_within_one_corpus_and_within_one_benchmark(analysis: Analysis) -> None:
    corpus = only(analysis, within="passive", units="benchmarks", model="")
    sides = [[v for c, _, v in cells(m) if c == "passive"] for m in ("lstm", "transformer")]
    assert corpus.test.t == pytest.approx(stats.ttest_rel(*sides).statistic)
    benchmark = only(analysis, within="passive_1", units="corpora")
    sides = [[v for _, p, v in cells(m) if p == "passive_1"] for m in ("lstm", "transformer")]
    assert benchmark.test.t == pytest.approx(stats.ttest_rel(*sides).statistic)
    assert benchmark.with_full


def test_a_condition_against_full(analysis: Analysis) -> None:
    found = only(analysis, within="passive", model="lstm", paradigms="all")
    sides = [[v for c, _, v in cells("lstm") if c == name] for name in ("passive", "full")]
    assert (found.a, found.b, found.test.n) == ("passive", "full", 5)
    assert found.test.t == pytest.approx(stats.ttest_rel(*sides).statistic)
    targeted = only(analysis, within="passive", model="lstm", paradigms="targeted")
    assert targeted.test.n == 2


@pytest.mark.long
def test_corrections_agree_with_statsmodels(analysis: Analysis) -> None:
    multi = pytest.importorskip("statsmodels.stats.multitest", reason="statsmodels is not installed")
    family = [c for c in analysis.comparisons if c.within and not c.model and c.units == "corpora"]
    assert len(family) == len(long_form.PARADIGMS)
    p = [c.test.p for c in family]
    for method, name in (("holm", "holm"), ("fdr_bh", "bh")):
        theirs = multi.multipletests(p, method=method)[1]
        assert [getattr(c, name) for c in family] == pytest.approx(list(theirs))


def test_the_models_of_all_corpora_are_one_family(tmp_path: Path) -> None:
    """The full corpus is one corpus among them, however the tests over all cells are made with it and without."""
    gap = {"full": 0.10, "passive": 0.06, "npi-only": 0.05}  # between the models, give or take 0.04
    rows = [
        (corpus, model, 1, f"blimp/{paradigm}", "accuracy", 0.5 + (gap[corpus] + 0.04 * i if model == "b" else 0))
        for corpus in gap
        for model in "ab"
        for i, paradigm in zip((-1, 0, 1), long_form.PARADIGMS, strict=False)
    ]
    found = analyse(results_of(read_long_form(long_form.write(tmp_path / "r.csv", rows)))).comparisons
    family = {c.within: c for c in found if c.within and not c.model and c.units == "benchmarks"}
    # t = gap / (0.04/√3), two degrees of freedom: p = 1 − t/√(2 + t²)
    p = {name: 1 - t / (2 + t * t) ** 0.5 for name, size in gap.items() for t in [size * 3**0.5 / 0.04]}
    assert {name: c.test.p for name, c in family.items()} == pytest.approx(p)
    holm = {"full": 3 * p["full"], "passive": 2 * p["passive"], "npi-only": 2 * p["passive"]}
    assert 2 * p["passive"] > p["npi-only"]
    assert {name: c.holm for name, c in family.items()} == pytest.approx(holm)
    bh = {"full": 3 * p["full"], "passive": p["npi-only"], "npi-only": p["npi-only"]}
    assert 3 * p["full"] < p["npi-only"] < 3 / 2 * p["passive"]
    assert {name: c.bh for name, c in family.items()} == pytest.approx(bh)


def test_tokens_and_perplexity(analysis: Analysis) -> None:
    (found,) = [r for r in analysis.correlations if r.models == ("lstm",) and r.with_full and r.units == "corpora"]
    tokens = [80_000_000 - 1_000_000 * i for i in range(4)]
    perplexity = [np.mean([r[5] for r in TABLE if r[:2] == (c, "lstm") and r[4] == "ppl"]) for c in long_form.CORPORA]
    assert found.correlation.r == pytest.approx(stats.pearsonr(tokens, perplexity).statistic)
    assert found.correlation.r < -0.9


def test_one_model_has_nothing_to_be_compared_with(tmp_path: Path) -> None:
    path = long_form.write(tmp_path / "one.csv", [row for row in TABLE if row[1] != "transformer"])
    found = analyse(results_of(read_long_form(path), targets=long_form.TARGETS))
    assert found.comparisons and all(c.model == "lstm" for c in found.comparisons)
    assert all(r.x == "training tokens" for r in found.correlations)


def test_missing_cells_leave_their_unit_out_on_both_sides(tmp_path: Path) -> None:
    gone = [row for row in TABLE if row[:2] != ("passive", "lstm")]
    path = long_form.write(tmp_path / "gone.csv", gone)
    found = analyse(results_of(read_long_form(path), targets=long_form.TARGETS))
    assert only(found, measure="accuracy", units="corpora", paradigms="all", with_full=True, within="").test.n == 3


def test_a_test_is_named_after_its_suite_where_there_are_several(analysis: Analysis) -> None:
    mine = [one for one in analysis.comparisons if one.suite and one.within][:1]
    other = [replace(mine[0], suite="other")]
    assert comparison_label(mine[0], mine) == mine[0].within
    assert comparison_label(mine[0], mine + other) == f"{mine[0].suite}: {mine[0].within}"
    assert comparison_label(other[0], mine + other) == f"other: {mine[0].within}"
