"""`fictc coverage`: a suite's sentences are written for parsing, found again by their text, and matched."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from runner.corpus.annotate import AnnotateOptions, annotate
from tests.support import corpora
from tests.support.parsers import ToyParser
from tests.support.reading import tree
from tests.unit.runner.cli.conftest import Fictc

PAIRS = """good,bad,paradigm
Dogs bark.,Dogs barks.,agreement
Cats sleep.,Cats sleeps.,agreement
Dogs bark.,Bark dogs.,order
"""
TREES = [
    tree("Dogs NOUN 2 nsubj misc=X=1\nbark VERB 0 root misc=SpaceAfter=No\n. PUNCT 2 punct"),
    tree("Dogs NOUN 2 nsubj\nbarks VERB 0 root misc=SpaceAfter=No\n. PUNCT 2 punct"),
    tree("Cats NOUN 2 compound\nsleep NOUN 0 root misc=SpaceAfter=No\n. PUNCT 2 punct"),
    tree("Cats NOUN 2 nsubj\nsleeps VERB 0 root misc=SpaceAfter=No\n. PUNCT 2 punct"),
]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS)
    return path


@pytest.fixture
def filters(tmp_path: Path) -> Path:
    path = tmp_path / "filters.fict"
    path.write_text(
        "fict 1 filter subject { targets blimp/agreement match { V -[nsubj]-> S } } filter noun { match { N:NOUN } }"
    )
    return path


@pytest.fixture
def parses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return corpora.store(tmp_path, corpora.conllu(TREES)).path


def rows(text: str) -> dict[str, list[str]]:
    return {line.split()[0]: line.split()[1:] for line in text.splitlines() if line and line[0] not in "[P "}


def test_a_table_with_targets_marked(call: Fictc, suite: Path, parses: Path, filters: Path) -> None:
    ended = call("coverage", filters, "--suite", suite, "--parses", parses)
    assert ended.code == 0
    assert rows(ended.out)["agreement"] == ["2", "50.0*", "100.0"]
    assert rows(ended.out)["order"] == ["1", "100.0", "100.0"]
    assert rows(ended.out)["own"] == ["targets", "50.0", "–"]
    assert ended.err == ""


@pytest.mark.parametrize(
    ("side", "agreement"), [("good", "50.0*"), ("bad", "100.0*"), ("either", "100.0*"), ("both", "50.0*")]
)
def test_sides(call: Fictc, suite: Path, parses: Path, filters: Path, side: str, agreement: str) -> None:
    ended = call("coverage", f"{filters}::subject", "--suite", suite, "--parses", parses, "--side", side)
    assert rows(ended.out)["agreement"] == ["2", agreement]
    if side != "good":  # the bad sentence of `order` has no parse
        assert "order" not in rows(ended.out)
        assert ended.err == "note: 1 of 3 items is skipped: the store lacks their sentences\n"


def test_json_and_csv(call: Fictc, suite: Path, parses: Path, filters: Path) -> None:
    arguments = ("coverage", filters, "--suite", suite, "--parses", parses, "--paradigm", "agreement")
    found = json.loads(call(*arguments, "--format", "json").out)
    assert (found["suite"], found["side"]) == ("pairs", "good")
    told = {"filter": "subject", "paradigm": "agreement", "target": True, "items": 2, "matched": 1, "share": 0.5}
    assert found["shares"][0] == {**told, "unparsed": 0}
    table = list(csv.DictReader(io.StringIO(call(*arguments, "--format", "csv").out)))
    assert [(row["filter"], row["share"]) for row in table] == [("subject", "0.5"), ("noun", "1.0")]


def test_csv_is_quoted_for_spreadsheets(call: Fictc, suite: Path, parses: Path, filters: Path) -> None:
    suite.write_text(PAIRS.replace("agreement", "=1+1"))
    table = call("coverage", filters, "--suite", suite, "--parses", parses, "--format", "csv").out
    assert {row["paradigm"] for row in csv.DictReader(io.StringIO(table))} == {"'=1+1", "order"}


def test_the_whole_way(call: Fictc, suite: Path, filters: Path, tmp_path: Path) -> None:
    items = tmp_path / "items.txt"
    ended = call("coverage", "--suite", suite, "--sentences", items)
    assert ended.err == f"{items}: 5 sentences\n"
    assert items.read_text().splitlines() == ["Dogs bark.", "Dogs barks.", "Cats sleep.", "Cats sleeps.", "Bark dogs."]
    annotate([items], tmp_path / "parses", ToyParser(), AnnotateOptions("sentences"))
    ended = call("coverage", filters, "--suite", suite, "--parses", tmp_path / "parses", "--side", "both")
    assert (ended.code, ended.err) == (0, "")
    assert rows(ended.out)["agreement"][0] == "2" and rows(ended.out)["order"][0] == "1"
    ended = call("coverage", "--suite", suite, "--sentences", items, "--side", "bad", "--limit", "1")
    assert "1 sentences" not in ended.err
    assert items.read_text().splitlines() == ["Dogs barks.", "Bark dogs."]


def test_a_sentence_with_a_line_break_is_written_on_one_line(call: Fictc, tmp_path: Path) -> None:
    (tmp_path / "breaks.csv").write_text('good,bad\n"Dogs\nbark.",Dogs barks.\n')
    call("coverage", "--suite", tmp_path / "breaks.csv", "--sentences", tmp_path / "items.txt")
    assert (tmp_path / "items.txt").read_text() == "Dogs bark.\nDogs barks.\n"


def test_what_does_not_go_together(call: Fictc, suite: Path, parses: Path, filters: Path) -> None:
    assert "expected filters and --parses" in call("coverage", filters, "--suite", suite).err
    given = call("coverage", filters, "--suite", suite, "--sentences", "x")
    assert "--sentences and FILTER exclude each other" in given.err


def test_a_wide_table_numbers_its_filters(call: Fictc, suite: Path, parses: Path, tmp_path: Path) -> None:
    path = tmp_path / "many.fict"
    path.write_text("fict 1 " + " ".join(f"filter a-rather-long-name-{n} {{ match {{ N:NOUN }} }}" for n in range(6)))
    out = call("coverage", path, "--suite", suite, "--parses", parses).out
    assert out.splitlines()[0].split() == ["items", *(f"[{number}]" for number in range(1, 7))]
    assert out.endswith("[6] a-rather-long-name-5\n")
