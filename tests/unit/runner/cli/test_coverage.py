"""`fictc coverage`: a suite's sentences are written for parsing, found again by their text, and matched."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fictdsl.reference.sentences import Sentence
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


def side_tree(paradigm: str, field: str, number: int, side: str, rows: str) -> Sentence:
    comments = {"blimp::uid": paradigm, "blimp::field": field, "blimp::side": side}
    sent_id = f"{paradigm}-{number}-{side}"
    return tree(rows, f"sent_id = {sent_id}", *(f"{key} = {value}" for key, value in comments.items()))


BARK = "Dogs NOUN 2 nsubj\nbark VERB 0 root"
NAP = "Cats NOUN 0 root\nnap NOUN 1 compound"
COMMENTED = [
    side_tree("agreement", "morphology", 0, "good", BARK),
    side_tree("agreement", "morphology", 0, "bad", NAP),
    side_tree("agreement", "morphology", 1, "good", NAP),
    side_tree("agreement", "morphology", 1, "bad", BARK),
    side_tree("agreement", "morphology", 2, "bad", BARK),  # the good sentence has no tree
    side_tree("order", "binding", 0, "good", BARK),
    side_tree("order", "binding", 0, "bad", BARK),
    tree(BARK, "sent_id = another text"),
]


@pytest.fixture
def commented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "blimp-trees.conllu"
    path.write_text(corpora.conllu(COMMENTED))
    return path


@pytest.mark.parametrize(
    ("side", "agreement", "skipped"),
    [("good", ["2", "50.0*"], 1), ("bad", ["3", "66.7*"], 0), ("either", ["2", "100.0*"], 1), ("both", ["2", "·*"], 1)],
)
def test_comments_of_trees_say_what_they_are(
    call: Fictc, commented: Path, filters: Path, side: str, agreement: list[str], skipped: int
) -> None:
    ended = call("coverage", f"{filters}::subject", "--parses", commented, "--side", side)
    assert ended.code == 0
    assert rows(ended.out)["agreement"] == agreement
    assert rows(ended.out)["order"] == ["1", "100.0"]
    assert ("1 of 4 items is skipped" in ended.err) == bool(skipped)


def test_a_target_may_be_the_field_of_the_trees(call: Fictc, commented: Path, tmp_path: Path) -> None:
    (tmp_path / "field.fict").write_text("fict 1 filter subject { targets blimp/binding match { V -[nsubj]-> S } }")
    found = json.loads(call("coverage", tmp_path / "field.fict", "--parses", commented, "--format", "json").out)
    assert found["suite"] == "blimp-trees"
    assert [(share["paradigm"], share["target"]) for share in found["shares"]] == [
        ("order", True),
        ("agreement", False),
    ]


def test_trees_without_comments_need_a_suite(call: Fictc, parses: Path, filters: Path) -> None:
    ended = call("coverage", filters, "--parses", parses)
    assert (ended.code, ended.out) == (2, "")
    assert f"expected --suite SUITE: the sentences of {parses} lack the comments blimp::uid" in ended.err


def cells(page: str) -> dict[str, tuple[str, bool]]:
    """Return the shade of each cell of the heatmap, and whether it is outlined, by its tooltip's first line."""
    drawn = re.findall(r'<g tabindex="-1"><title>(.*?)</title>(.*?)</g>', page, re.DOTALL)
    return {
        title.partition("\n")[0]: (re.findall(r'class="(\w+)"', body)[0], 'class="target slim"' in body)
        for title, body in drawn
    }


def test_a_heatmap_with_targets_outlined(call: Fictc, commented: Path, filters: Path, tmp_path: Path) -> None:
    page = tmp_path / "coverage.html"
    ended = call("coverage", filters, "--parses", commented, "--format", "html", "--output", page)
    assert (ended.code, ended.out) == (0, f"{page}\n")
    text = page.read_text()
    assert cells(text) == {
        "subject × order": ("p6", False),
        "subject × agreement": ("p3", True),
        "noun × order": ("p6", False),
        "noun × agreement": ("p6", False),
    }
    assert "1 of 2 items (50.0 %)\ntargeted by the filter\n1 more item without trees" in text
    assert "http" not in text.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")


def test_a_heatmap_as_a_file_of_its_own(call: Fictc, commented: Path, filters: Path, tmp_path: Path) -> None:
    drawing = tmp_path / "coverage.svg"
    assert call("coverage", filters, "--parses", commented, "--format", "svg", "--output", drawing).code == 0
    root = ElementTree.fromstring(drawing.read_text())
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"order", "agreement", "subject", "noun"} <= set(texts)
    assert call("coverage", filters, "--parses", commented, "--output", tmp_path / "x.svg").err.endswith(
        f"--output {tmp_path / 'x.svg'} requires --format svg\n"
    )


def test_rows_of_one_name_are_told_apart_by_their_folders(call: Fictc, commented: Path, tmp_path: Path) -> None:
    paths = [tmp_path / folder / "subject.fict" for folder in ("first", "second")]
    for path, relation in zip(paths, ("nsubj", "obj"), strict=True):
        path.parent.mkdir()
        path.write_text(f"fict 1 filter subject {{ match {{ V -[{relation}]-> S }} }}")
    text = call("coverage", *paths, "--parses", commented, "--format", "html").out
    assert re.findall(r'class="section">(\w+)<', text) == ["BINDING", "MORPHOLOGY", "FIRST", "SECOND"]
    found = cells(text)
    assert found["first/subject.fict::subject × order"] == ("p6", False)
    assert found["second/subject.fict::subject × order"] == ("z", False)


def test_rows_are_ordered_by_their_first_target(call: Fictc, commented: Path, tmp_path: Path) -> None:
    texts = (
        f"filter {name} {{ {targets} match {{ V -[nsubj]-> S }} }}"
        for name, targets in (
            ("a", ""),
            ("b", "targets blimp/agreement blimp/order"),
            ("c", "targets blimp/agreement"),
            ("d", "targets blimp/order"),
        )
    )
    (tmp_path / "many.fict").write_text("fict 1 " + " ".join(texts))
    text = call("coverage", tmp_path / "many.fict", "--parses", commented, "--format", "svg").out
    assert re.findall(r'class="end small">(\w+)<', text) == ["b", "d", "c", "a"]  # order is a column before agreement
