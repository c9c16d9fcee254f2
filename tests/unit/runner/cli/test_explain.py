"""`fictc explain`: every clause and test is said, and so is what a code means."""

from __future__ import annotations

from pathlib import Path

from tests.unit.runner.cli.conftest import Fictc


def test_a_filter(call: Fictc, filters: Path) -> None:
    ended = call("explain", f"{filters}::subject")
    assert ended.out.splitlines() == [
        "subject",
        "A subject.",
        "",
        "Removes every sentence that has different words V and S such that",
        "  · S depends on V as nsubj (or a subtype)",
        "",
        "source  a test",
        "targets blimp/a",
        f"file    {filters}",
    ]


def test_sql(call: Fictc, filters: Path) -> None:
    assert "STARTS_WITH" in call("explain", f"{filters}::subject", "--sql").out
    assert "STARTSWITH" in call("explain", f"{filters}::subject", "--sql", "--dialect", "spark").out


def test_stages_asked_for_take_the_place_of_the_english(call: Fictc, filters: Path) -> None:
    ended = call("explain", f"{filters}::subject", "--ir", "--plan", "--sql", "--dialect", "all")
    assert ended.out.startswith("Filter\n")
    assert "   1  S, read with V (its head): S has deprel nsubj (or a subtype)\n" in ended.out
    assert "-- duckdb: m0 = V, m1 = S\n" in ended.out and "-- spark: m0 = V, m1 = S\n" in ended.out
    assert "Removes" not in ended.out
    assert "Removes" in call("explain", f"{filters}::subject", "--plan", "--english").out


def test_with_a_corpus_each_step_has_its_rows(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("explain", f"{filters}::subject", "--corpus", store)
    assert "S depends on V as nsubj" in ended.out
    rows = [line.split() for line in ended.out.splitlines() if line.endswith(" ms")]
    assert [(row[0], *row[-4:-2]) for row in rows] == [("1", "2", "2"), ("all", "matches", "2")]
    assert ended.out.endswith("2 of 3 sentences match (66.67%)\n")


def test_what_no_word_has_is_noted(call: Fictc, filters: Path, tmp_path: Path, store: Path) -> None:
    asks = tmp_path / "asks.fict"
    asks.write_text("fict 1 filter asks { match { A[Foo = Bar] } }")
    assert "asks tests Foo, which no word of this corpus has" in call("explain", asks, "-c", store).err


def test_codes(call: Fictc) -> None:
    assert call("explain", "FICT402").out.startswith("# FICT402: too-many-nodes\n")
    ended = call("explain", "fict4o1".replace("o", "9"))
    assert ended.code == 2
    assert "no diagnostic fict491" in ended.err
