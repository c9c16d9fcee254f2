"""The page on audits has the figures of the simulation, and the committed audits have those of their sheets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks import audits
from runner.audit.estimates import Estimate, audit_of
from runner.audit.sheet import COLUMNS, read_sheet
from runner.audit.strata import STRATA
from runner.corpus.filter_arguments import load_filters

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
FOLDER = ROOT / "experiments" / "audits"
ROWS = audits.finished_rows(ROOT / "docs" / "audits.csv")
NAMES = ("passive", "existential-there")


def test_the_page_names_every_column_and_stratum() -> None:
    section = PAGE.split("## The sheet")[1].split("\n## ")[0]
    named = re.findall(r"`([^`]+)`", "".join(line.split("|")[1] for line in section.split("\n") if line[:3] == "| `"))
    assert named == [*COLUMNS]
    for name in STRATA:
        assert f"| `{name}` |" in PAGE


def test_the_table_has_every_situation() -> None:
    assert [situation for situation, _ in ROWS] == audits.situations()
    assert f"{len(ROWS) // len(audits.CORPORA)} situations of three corpora each" in " ".join(PAGE.split())
    assert any(0.0 in (situation.near_misses, situation.cue_words, situation.others) for situation, _ in ROWS)


def test_intervals_cover_in_every_situation() -> None:
    for situation, coverage in ROWS:
        for share in (coverage.precision, coverage.per_million, coverage.remaining):
            assert 0.93 <= round(share, 3) <= 0.99, situation


def test_the_page_has_the_range_of_the_table() -> None:
    shares = [share for _, each in ROWS for share in (each.precision, each.per_million, each.remaining)]
    assert f"from {100 * min(shares):.1f} to {100 * max(shares):.1f} %" in " ".join(PAGE.split())


@pytest.mark.parametrize("place", [2, 100, -5])
def test_a_row_is_reproduced(place: int) -> None:
    situation, expected = ROWS[place]
    found = audits.simulate(situation, 400)
    assert found.per_million == pytest.approx(expected.per_million, abs=0.04)
    assert found.remaining == pytest.approx(expected.remaining, abs=0.04)
    assert found.precision == pytest.approx(expected.precision, abs=0.04)


@pytest.mark.parametrize("name", NAMES)
def test_committed_sheets_are_of_the_filters_as_they_are_and_judged_to_the_end(name: str) -> None:
    (compiled,) = load_filters([str(FOLDER / f"{name}.fict")])
    sheet = read_sheet(FOLDER / f"{name}-wikitext-2.csv")
    assert (sheet.filter, sheet.filter_key) == (name, compiled.key)
    assert len(sheet.judged) == len(sheet.rows)


def test_the_figures_of_the_committed_audits() -> None:
    estimates = [audit_of([read_sheet(FOLDER / f"{name}-wikitext-2.csv")]) for name in NAMES]
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([a-z][^|]*) \| (.+) \|$", text, re.MULTILINE))

    def cells(key: str, factor: float, form: str) -> str:
        values: list[Estimate] = [getattr(audit.estimates, key) for audit in estimates]
        shown = [[form.format(factor * (part or 0)) for part in value] for value in values]
        return " | ".join(f"{value} [{low}, {high}]" for value, low, high in shown)

    assert rows["sentences judged"] == " | ".join(str(audit.judged) for audit in estimates)
    assert rows["precision, %"] == cells("precision", 100, "{:.1f}")
    assert rows["recall, %"] == cells("recall", 100, "{:.1f}")
    assert rows["instances that remain, % of all"] == cells("remaining", 100, "{:.1f}")
    assert rows["instances that remain, per million words"] == cells("per_million", 1, "{:,.0f}")
