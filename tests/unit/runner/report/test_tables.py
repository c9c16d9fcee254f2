"""Tables: what stands in CSV and JSON is what was computed, in full precision."""

import csv
import io
import math

import pytest

from runner.report.contrast_tables import targeted_cells
from runner.report.document import report_of
from runner.report.sections.perplexities import perplexity
from runner.report.statistics import Unit
from runner.tables import Column, Table, plain, to_csv


def parsed(table: Table) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(to_csv(table))))


def test_csv_keeps_full_precision_and_awkward_text() -> None:
    table = Table(
        "t", "T", (Column("a", "A"), Column("b", "B")), ({"a": 0.1 + 0.2, "b": 'x, "y"\nz'}, {"a": None, "b": True})
    )
    assert to_csv(table) == 'a,b\n0.30000000000000004,"x, ""y""\nz"\n,true\n'
    assert table.records()[1] == {"a": None, "b": True}


def test_rows_are_as_wide_as_their_columns(analysis) -> None:
    for table in report_of(analysis).tables:
        assert all(len(row) == len(table.columns) for row in table.rows), table.name
        assert len({column.key for column in table.columns}) == len(table.columns), table.name
        assert len(parsed(table)) == len(table.rows)


def test_no_value_is_nan(analysis) -> None:
    for table in report_of(analysis).tables:
        for row in table.rows:
            assert not any(isinstance(v, float) and not math.isfinite(v) for v in map(plain, row)), (table.name, row)


def test_targeted_rows_carry_both_references(analysis) -> None:
    table = next(t for t in report_of(analysis).tables if t.name == "targeted")
    assert len(table.rows) == len(targeted_cells(analysis)) == 4
    row = next(r for r in parsed(table) if (r["condition"], r["model"]) == ("agr-pp-mod", "lstm-128"))
    unit = Unit("paradigm", row["suite"], row["paradigm"])
    control = analysis.contrasts[unit, "agr-pp-mod", "lstm-128", "agr-pp-mod.random"]
    full = analysis.contrasts[unit, "agr-pp-mod", "lstm-128", "full"]
    assert row["reference"] == "agr-pp-mod.random"
    assert float(row["delta"]) == control.difference.delta
    assert float(row["delta_low"]) == control.difference.low
    assert float(row["bootstrap_high"]) == control.differences_by_method["bootstrap"].high
    assert float(row["paired"]) == control.differences_by_method["paired"].delta
    assert float(row["delta_full"]) == full.difference.delta
    assert float(row["holm"]) == control.holm
    assert float(row["after"]) - float(row["control"]) == pytest.approx(control.difference.delta)


def test_a_change_in_perplexity_is_from_the_baseline_of_its_row(analysis) -> None:
    records = perplexity(analysis).records()
    means = {(row["text"], row["model"], row["condition"]): row["perplexity"] for row in records}
    changed = [row for row in records if row["change"] is not None]
    for row in changed:
        baseline = means[row["text"], row["model"], row["reference"]]
        assert row["change"] == pytest.approx(row["perplexity"] - baseline)
    assert changed


def test_accuracy_table_holds_every_seed(analysis) -> None:
    table = next(t for t in report_of(analysis).tables if t.name == "accuracy")
    row = next(r for r in parsed(table) if (r["level"], r["condition"], r["model"]) == ("paradigm", "full", "lstm-128"))
    seeds = dict(part.split(":") for part in row["by_seed"].split())
    assert list(seeds) == ["1", "2", "3"]
    assert sum(map(float, seeds.values())) / 3 == float(row["accuracy"])
    assert (row["pairs"], row["applicable"], row["identical"]) == ("60", "59", "1")
    assert any(r["model"] == "unigram" for r in parsed(table))
