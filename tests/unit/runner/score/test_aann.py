"""The tables of Misra and Mahowald 2024 as pairs that share their prefix."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.errors import InputError
from runner.fetch import data_sets
from runner.score import pair_formats
from runner.score.any_suite import kind_of
from runner.score.pair_formats import load_suite
from runner.workspace import sha256_file

HEADER = "idx,sentence,prefixes,{},default_ann,order_swap,no_article,no_modifier,no_numeral\n"
AANN = (
    "7,We spent an awful two days there.,We spent,an awful two days,two awful days,a two awful days,awful two days,"
    "a two days,an awful days\n"
)
NAAN = (
    "7,We spent an awful two days there.,We spent,two awful a days,two awful days,awful two a days,two awful days,"
    "two a days,awful a days\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "aann.csv").write_text(HEADER.format("aann") + AANN)
    (tmp_path / "naan.csv").write_text(HEADER.format("construction") + NAAN)
    return tmp_path


def test_an_item_is_a_pair_with_each_corruption(folder: Path) -> None:
    suite = load_suite(folder, "aann")
    corruptions = ("order-swap", "no-article", "no-modifier", "no-numeral")
    assert suite.paradigms == [f"{name}-{each}" for name in ("aann", "naan") for each in corruptions]
    first, last = suite.items[0], suite.items[-1]
    assert (first.good, first.bad) == ("We spent an awful two days", "We spent a two awful days")
    assert (first.prefixes, first.words) == (("We spent",) * 2, ("an awful two days", "a two awful days"))
    assert (last.phenomenon, last.item, last.words) == ("naan", 7, ("two awful a days", "awful a days"))


def test_the_column_sentence_does_not_make_the_tables_sentences(folder: Path) -> None:
    assert [kind_of(path).name for path in (folder, folder / "aann.csv", folder / "naan.csv")] == ["pairs"] * 3


@pytest.mark.parametrize("step", [1, -1])
def test_the_format_that_asks_for_more_columns_reads_a_table(
    folder: Path, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair_formats, "FORMATS", pair_formats.FORMATS[::step])
    assert len(load_suite(folder / "aann.csv").paradigms) == 4
    (folder / "plain.csv").write_text("good,bad,prefixes\na,b,c\n")
    assert load_suite(folder / "plain.csv").paradigms == ["plain"]


def test_a_table_is_a_suite_too(folder: Path) -> None:
    suite = load_suite(folder / "naan.csv", paradigms=["naan-no-article"])
    assert [pair.bad for pair in suite.items] == ["We spent two awful days"]


@pytest.mark.parametrize("row", ["7\n", "7,We spent an awful two days there.\n"])
def test_a_row_with_too_few_cells_is_named(tmp_path: Path, row: str) -> None:
    (tmp_path / "aann.csv").write_text(HEADER.format("aann") + AANN + row)
    with pytest.raises(InputError, match=r"line 3 of .* the construction or a corruption is missing"):
        load_suite(tmp_path / "aann.csv")


def test_other_tables_are_other_suites(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("good,bad,prefixes\nThe dog sleeps.,The dog sleep.,The\n")
    assert [pair.good for pair in load_suite(path).items] == ["The dog sleeps."]


def test_an_item_without_a_corruption_is_refused(folder: Path) -> None:
    with (folder / "naan.csv").open("a") as file:
        file.write("8,s,We spent,two awful a days,two awful days\n")
    with pytest.raises(InputError) as caught:
        load_suite(folder)
    (problem,) = caught.value.diagnostics
    assert (problem.code, problem.message.count("naan.csv")) == ("FICT812", 1)


@pytest.mark.shared
def test_the_published_tables(data: Path) -> None:
    hashes = data_sets()["aann"].files
    assert {name: sha256_file(data / "aann" / name) for name in hashes} == hashes
    suite = load_suite(data / "aann")
    assert len(suite.items) == 12 * 12_960
    assert len(suite.paradigms) == 12
    assert all(pair.prefixes[0] for pair in suite.items)
