"""Terms, titles, colours and units of a report agree with its numbers."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from runner.report.analysis import analyse
from runner.report.document import report_of
from runner.report.figures.heatmap import heatmap
from runner.report.page import write_report
from runner.report.results import read_results
from runner.report.statistics import Analysis
from tests.support.results import Fabricated


def written(folder: Path, change: Any = None, **made: Any) -> Path:
    results = Fabricated(**{"items": 8} | made).write(folder / "results")
    if change is not None:
        conditions = json.loads((results / "conditions.json").read_text())
        for condition in conditions:
            change(condition)
        (results / "conditions.json").write_text(json.dumps(conditions))
    return results


def page_of(results: Path) -> str:
    return write_report(results, results.parent).read_text(encoding="utf-8")


def without_targets(condition: dict[str, Any]) -> None:
    for each in condition["filters"]:
        each["targets"] = []


def said(page: str) -> str:
    """Return the text and the tooltips of a page, without its script and style."""
    body = re.sub(r"<(script|style)\b.*?</\1>", " ", page, flags=re.DOTALL)
    tips = " ".join(re.findall(r'(?:title|data-tip|aria-label)="([^"]*)"', body))
    return unescape(re.sub(r"<[^>]+>", " ", body) + tips)


def test_what_a_change_is_against_has_one_name(tmp_path: Path) -> None:
    text = said(page_of(written(tmp_path)))
    assert "control" in text and "baseline" in text
    assert not re.search(r"\breferences?\b|\brandom control|\bcontrol (corpus|condition)\b", text)


def test_titles_of_figures_and_tables_occur_once(analysis: Analysis) -> None:
    sections = report_of(analysis).sections
    titles = [figure.title for section in sections for figure in section.figures]
    titles += [table.title for section in sections for table in section.tables]
    named = [title for title in titles if title]
    assert len(named) > 15
    assert sorted(set(named)) == sorted(named)


def test_seeds_too_few_for_a_correlation_have_none(analysis: Analysis) -> None:
    assert len(analysis.results.run.seeds) == 3
    (table,) = [t for s in report_of(analysis).sections for t in s.tables if t.name == "classical"]
    assert {row["seed_correlation"] for row in table.records()} == {None}


def test_four_seeds_have_a_correlation(tmp_path: Path) -> None:
    analysis = analyse(read_results(written(tmp_path, seeds=(1, 2, 3, 4), items=40)))
    (table,) = [t for s in report_of(analysis).sections for t in s.tables if t.name == "classical"]
    assert any(row["seed_correlation"] is not None for row in table.records())


def test_three_corpora_have_no_correlation(tmp_path: Path) -> None:
    analysis = analyse(read_results(written(tmp_path, conditions=("full", "agr-pp-mod", "agr-pp-mod.random"))))
    assert not [relation for relation in analysis.correlations if relation.units == "corpora"]
    assert [relation for relation in analysis.correlations if relation.units == "runs"]


def test_accuracies_alone_have_no_scale_of_changes(tmp_path: Path) -> None:
    alone = heatmap(analyse(read_results(written(tmp_path / "alone", conditions=("full",)))), "blimp")
    assert "accuracy, %" in alone and "delta, points" not in alone
    both = heatmap(analyse(read_results(written(tmp_path / "both"))), "blimp")
    assert "accuracy, %" in both and "delta, points" in both


def test_without_targets_nothing_looks_like_a_finding(tmp_path: Path) -> None:
    with_targets, without = page_of(written(tmp_path / "a")), page_of(written(tmp_path / "b", without_targets))
    finding = re.compile(
        r'class="[^"]*\b(fell|rose|held|undecided|target|targeted)\b|[▾▴] ?<|targeted by the condition'
    )
    assert finding.search(re.sub(r"<(script|style)\b.*?</\1>", "", with_targets, flags=re.DOTALL))
    assert not finding.search(re.sub(r"<(script|style)\b.*?</\1>", "", without, flags=re.DOTALL))


def test_lists_of_a_filter_and_units_of_times_are_shown(tmp_path: Path) -> None:
    def with_list(condition: dict[str, Any]) -> None:
        for each in condition["filters"]:
            each["lists"] = ["licensors = words.txt (sha256 0123456789ab)"]

    times = {"prepare": 3.5, "train and score": 61.0}
    text = said(page_of(written(tmp_path, with_list, card={"times": times})))
    assert "List licensors = words.txt (sha256 0123456789ab)" in text
    assert re.search(r"prepare\s+3\.5 s\b", text) and re.search(r"train and score\s+61\.0 s\b", text)


@pytest.mark.parametrize(
    ("conditions", "axis", "own"),
    [
        (("full", "agr-pp-mod", "agr-pp-mod.random"), "the control", 0),
        (("full", "agr-pp-mod", "det-noun"), "full", 0),
        (("full", "agr-pp-mod", "agr-pp-mod.random", "det-noun"), "the baseline", 2),  # one of two, for two models
    ],
)
def test_the_axis_names_the_baseline_of_its_rows(
    tmp_path: Path, conditions: tuple[str, ...], axis: str, own: int
) -> None:
    figures = [
        f
        for s in report_of(analyse(read_results(written(tmp_path, conditions=conditions)))).sections
        for f in s.figures
    ]
    (forest,) = [figure.svg for figure in figures if figure.name == "targeted"]
    assert f"change against {axis}, points" in forest
    assert [forest.count(f" against {baseline}<") for baseline in ("full", "control")] == [own, own]
