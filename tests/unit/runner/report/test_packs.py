"""Replication packs: the shipped ones, and a table of FiCT's shape whose every figure is worked out again here."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from runner.report.accuracy_tables import target_order
from runner.report.document import to_json, to_text
from runner.report.packs import Comparison, PublishedNumber, numbers_table, pack_results, read_pack, replicate
from runner.report.page import render
from tests.support import fict_shape

EXPERIMENTS = Path(__file__).parents[4] / "experiments"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return fict_shape.write_pack(tmp_path_factory.mktemp("pack"))


@pytest.fixture(scope="module")
def report(folder):
    return replicate(folder)


@pytest.fixture(scope="module")
def figures(report):
    rows = json.loads(to_json(report))["tables"]["replication"]
    return {row["what"]: row for row in rows}


@pytest.fixture(scope="module")
def lines(folder):
    with (folder / "tidy_results.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def mean_of(lines, arch: str, corpus: str, column: str, paradigms: list[str] | None = None) -> float:
    values = [
        float(line[column])
        for line in lines
        if (line["arch"], line["corpus"]) == (arch, corpus)
        and (paradigms is None or f"blimp/{line['blimp_benchmark']}" in paradigms)
    ]
    return float(np.mean(values))


def test_every_run_and_paradigm_is_read(folder) -> None:
    results = pack_results(read_pack(folder))
    assert len(results.perplexity) == 2 * 160
    assert len(results.imported) == 160 * 67
    assert results.models == ("lstm", "transformer")
    assert [condition.name for condition in results.conditions] == list(fict_shape.corpora())


def test_tokens_are_those_of_table_1(figures) -> None:
    shares = [row for row in figures.values() if row["place"] == "Table 1"]
    assert len(shares) == 16
    assert all(row["agrees"] for row in shares)


def test_perplexities_are_paired_over_corpora(figures, lines) -> None:
    means = {
        arch: [mean_of(lines, arch, corpus, "test_ppl") for corpus in fict_shape.corpora()]
        for arch in ("lstm", "transformer")
    }
    assert figures["mean test perplexity, LSTM"]["recomputed"] == pytest.approx(np.mean(means["lstm"]))
    t = stats.ttest_rel(means["lstm"], means["transformer"]).statistic
    assert figures["t of the test perplexities over corpora"]["recomputed"] == pytest.approx(t)


@pytest.mark.parametrize("arch", ["lstm", "transformer"])
def test_correlations_are_over_80_models_and_16_corpora(figures, lines, arch: str) -> None:
    first = [line for line in lines if line["arch"] == arch and line["blimp_benchmark"] == "passive_1"]
    assert len(first) == 80
    runs = stats.pearsonr([int(x["corpus_tokens"]) for x in first], [float(x["test_ppl"]) for x in first]).statistic
    sizes = fict_shape.corpora()
    means = [mean_of(lines, arch, corpus, "test_ppl") for corpus in sizes]
    over = stats.pearsonr(list(sizes.values()), means).statistic
    name = "r of tokens and test perplexity over"
    assert figures[f"{name} the 80 models, {arch}"]["recomputed"] == pytest.approx(runs)
    assert figures[f"{name} the means of the 16 corpora, {arch}"]["recomputed"] == pytest.approx(over)


def test_targeted_figures_are_over_the_15_corpora(figures, lines) -> None:
    targets = fict_shape.targets()
    accuracy = {
        arch: [100 * mean_of(lines, arch, corpus, "blimp_acc", of) for corpus, of in targets.items()]
        for arch in ("lstm", "transformer")
    }
    full = {
        arch: [100 * mean_of(lines, arch, "full", "blimp_acc", of) for of in targets.values()]
        for arch in ("lstm", "transformer")
    }
    test = stats.ttest_rel(accuracy["lstm"], accuracy["transformer"])
    assert figures["mean accuracy over targeted benchmarks, LSTM"]["recomputed"] == pytest.approx(
        np.mean(accuracy["lstm"])
    )
    assert figures["t of the targeted accuracies over corpora"]["recomputed"] == pytest.approx(test.statistic)
    assert figures["p of the targeted accuracies over corpora"]["recomputed"] == pytest.approx(test.pvalue)
    delta = {arch: np.subtract(accuracy[arch], full[arch]) for arch in accuracy}
    assert figures["mean accuracy delta over targeted benchmarks, LSTM"]["recomputed"] == pytest.approx(
        delta["lstm"].mean()
    )
    assert figures["t of the targeted accuracy deltas over corpora"]["recomputed"] == pytest.approx(
        stats.ttest_rel(delta["lstm"], delta["transformer"]).statistic
    )
    place = list(targets).index("agr-re-irr-sv")
    name = "mean accuracy delta over the targets of agr-re-irr-sv, transformer"
    assert figures[name]["recomputed"] == pytest.approx(delta["transformer"][place])


def test_every_figure_is_printed_with_its_difference_and_reason(report, figures) -> None:
    text = to_text(report)
    for row in figures.values():
        (line,) = [line for line in text.splitlines() if f"  {row['what']}  " in line]
        assert row["paper"].replace("-", "−") in line
        assert row["reason"] in line
    unknown = [row for row in figures.values() if row["recomputed"] is None]
    assert {row["place"] for row in unknown} == {"§5.4"}
    assert all("log-probabilities" in row["reason"] for row in unknown)
    differing = [row for row in figures.values() if row["agrees"] is False]
    assert differing
    assert all(row["reason"] and row["difference"] != 0 for row in differing)


def test_nothing_is_said_that_the_table_does_not_tell(report) -> None:
    document = json.loads(to_json(report))
    page = render(report, "files")
    for text in (to_text(report), page):
        assert "Ties count" not in text
        assert "0 minimal pairs" not in text
    assert document["ties"] == {}
    assert "held" not in document["answer"]["text"].replace("can be called held", "")
    assert not any("held within" in caution for caution in document["answer"]["cautions"])
    assert document["methods"]["accuracy"].startswith("As given in the table")
    assert "pairs" not in document["methods"]["delta"]
    unknown = {"unigram baseline", "PΔ, r, ceiling", "overlap", "t over seeds × items", "bootstrap, seeds × items"}
    assert not unknown & document["methods"].keys()
    for row in document["tables"]["corpora"]:
        assert row["sentences"] is row["words"] is row["removed_sentences"] is row["removed_words"] is None
    for row in document["tables"]["accuracy"]:
        assert row["pairs"] is None or row["level"] != "paradigm"
        assert row["ties"] is row["identical"] is row["unknown"] is row["applicable"] is None
    verdicts = {row["verdict"] for row in document["tables"]["targeted"]}
    assert verdicts <= {"fell", "rose", "undecided"}
    assert {row["method"] for row in document["tables"]["targeted"]} == {"over seeds only"}


def test_targets_are_in_the_order_of_the_paper(report) -> None:
    names = [name for names in fict_shape.targets().values() for name in names]
    assert set(target_order(report.analysis)) == set(names)
    conditions = [
        next(corpus for corpus, of in fict_shape.targets().items() if key in of)
        for key in target_order(report.analysis)
    ]
    assert list(dict.fromkeys(conditions)) == list(fict_shape.targets())


def test_the_injection_pack_agrees_with_its_paper() -> None:
    rows = json.loads(to_json(replicate(EXPERIMENTS / "injection" / "pack")))["tables"]["replication"]
    assert [row["agrees"] for row in rows] == [True] * 10 + [None]


def figure(value: str) -> PublishedNumber:
    return PublishedNumber(place="§1", what="a mean", value=value, reason="no table")


@pytest.mark.parametrize(
    ("values", "summary"),
    [
        ([1.0], "Of 1 number of the paper, 1 agrees as printed."),
        ([1.0, 2.0, None], "Of 3 numbers of the paper, 1 agrees as printed, 1 differs and 1 cannot be recomputed."),
        ([1.0, 1.0, 2.0, 2.0], "Of 4 numbers of the paper, 2 agree as printed and 2 differ."),
    ],
)
def test_the_summary_counts_the_outcomes(values: list[float | None], summary: str) -> None:
    assert numbers_table([Comparison(figure("1.0"), value, "") for value in values]).title == summary


@given(st.integers(0, 4), st.floats(-500, 500))
def test_a_value_agrees_with_its_own_rounding(decimals: int, value: float) -> None:
    printed = figure(f"{value:.{decimals}f}")
    assert printed.decimals == decimals
    assert printed.agrees(value)
    assert not printed.agrees(value + 1.1 * 10.0**-decimals)
    assert not printed.agrees(value - 1.1 * 10.0**-decimals)


@pytest.mark.parametrize(("printed", "value", "agrees"), [("< 0.01", 0.009, True), ("< 0.01", 0.01, False)])
def test_a_bound(printed: str, value: float, agrees: bool) -> None:
    assert figure(printed).agrees(value) is agrees


@pytest.mark.parametrize("value", ["", "1e3", "70,4", "70.4 %", "nan", "."])
def test_what_is_no_printed_number(value: str) -> None:
    with pytest.raises(ValueError, match="as the paper prints it"):
        figure(value)


def test_lines_of_a_table_with_columns_are_counted_as_they_are(tmp_path: Path) -> None:
    folder = fict_shape.write_pack(tmp_path)
    path = folder / "tidy_results.csv"
    head, first, *_ = path.read_text(encoding="utf-8").splitlines()
    path.write_text(f"{head}\n{first}\n{first},9\n", encoding="utf-8")
    with pytest.raises(Exception, match=r"line 3 of .* it has 11 fields, but the header has 10"):
        pack_results(read_pack(folder))
