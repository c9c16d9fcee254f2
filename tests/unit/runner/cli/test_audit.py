"""`fictc audit parser`: what a filter matches in gold trees, and in other trees of the same sentences."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from runner.corpus.annotate import AnnotateOptions, annotate
from runner.corpus.import_conllu import import_files
from tests.support import corpora
from tests.support.parsers import ToyParser
from tests.support.reading import tree
from tests.unit.runner.cli.conftest import Fictc

SUBJECT = "{0} NOUN 2 nsubj\n{1} VERB 0 root"
OBJECT = "{0} NOUN 2 obj\n{1} VERB 0 root"


def sentence(shape: str, words: str, name: str):
    return tree(shape.format(*words.split()), f"sent_id = {name}", f"text = {words}")


GOLD = [
    sentence(SUBJECT, "dogs bark", "both"),
    sentence(SUBJECT, "cats hiss", "lost"),
    sentence(SUBJECT, "cats hiss", "kept"),
    sentence(OBJECT, "birds sing", "added"),
    sentence(OBJECT, "cows moo", "neither"),
    sentence(SUBJECT, "frogs croak", "alone"),
]
PARSED = [
    sentence(SUBJECT, "frogs croaked", "alone"),
    sentence(SUBJECT, "birds  sing", "added"),
    sentence(OBJECT, "cats hiss", "lost"),
    sentence(OBJECT, "cows moo", "neither"),
    sentence(SUBJECT, "cats hiss", "kept"),
    sentence(SUBJECT, "dogs bark", "both"),
    sentence(SUBJECT, "dogs bark", "again"),
]


def conllu(folder: Path, name: str, sentences: list) -> Path:
    path = folder / f"{name}.conllu"
    path.write_text(corpora.conllu(sentences))
    return path


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[object, ...]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return "--gold", conllu(tmp_path, "gold", GOLD), "--parsed", conllu(tmp_path, "parsed", PARSED)


@pytest.fixture
def subject(tmp_path: Path) -> Path:
    (tmp_path / "set").mkdir()
    path = tmp_path / "set" / "subject.fict"
    path.write_text("fict 1 filter subject { match { V -[nsubj]-> S } } filter verb { match { V:VERB } }")
    return path


def test_sentences_are_paired_by_text_and_order(call: Fictc, trees: tuple[object, ...], subject: Path) -> None:
    ended = call("audit", "parser", *trees, subject, "--format", "csv")
    assert ended.code == 0
    first, second = csv.DictReader(io.StringIO(ended.out))
    key = first.pop("key")
    assert first == {
        "set": "set",
        "filter": "subject",
        "gold": "3",
        "parsed": "3",
        "both": "2",
        "lost": "1",
        "added": "1",
    }
    assert len(key) == 64 and key != second["key"]
    assert [second[name] for name in ("gold", "parsed", "both", "lost", "added")] == ["5", "5", "5", "0", "0"]


def test_sentences_without_a_partner_are_counted(call: Fictc, trees: tuple[object, ...], subject: Path) -> None:
    ended = call("audit", "parser", *trees, subject)
    lines = [line for line in ended.err.splitlines() if "no partner" in line]
    assert lines == [
        f"note: 1 sentence of {trees[1]} has no partner",
        f"note: 2 sentences of {trees[3]} have no partner",
    ]
    assert ended.out.splitlines()[-1] == "of 5 sentences in both"


def test_lost_sentences_have_gold_trees_and_added_ones_parsed_trees(
    call: Fictc, trees: tuple[object, ...], subject: Path
) -> None:
    out = call("audit", "parser", *trees, f"{subject}::subject").out
    assert out.splitlines()[1].split() == ["subject", "3", "3", "2", "1", "1", "33.3"]
    lost, added = out.split("\nlost\n")[1].split("\nadded\n")
    assert lost.split() == ["gold.conllu:2", "cats/S", "hiss/V"]
    assert added.split() == ["parsed.conllu:2", "birds/S", "sing/V"]
    assert "lost\n" not in call("audit", "parser", *trees, f"{subject}::subject", "-n", "0").out
    found = json.loads(call("audit", "parser", *trees, f"{subject}::subject", "--format", "json").out)
    assert (found["sentences"], found["alone"]) == (5, {"gold": 1, "parsed": 2})
    assert [row["lost"] for row in found["rows"]] == [1]
    examples = [(each["filter"], each["kind"], each["sent_id"], each["matches"]) for each in found["examples"]]
    assert examples == [
        ("subject", "lost", "lost", [{"V": 2, "S": 1}]),
        ("subject", "added", "added", [{"V": 2, "S": 1}]),
    ]


def test_a_line_that_the_parser_split_is_one_sentence(call: Fictc, tmp_path: Path, subject: Path, trees) -> None:
    text = tmp_path / "lines.txt"
    text.write_text("Dogs bark. Cats sleep.\nBirds sing.\n")
    parsed = annotate([text], tmp_path / "parsed", ToyParser(), AnnotateOptions("lines"))
    assert parsed.info.sentences == 3
    rows = "Dogs NOUN 2 nsubj\nbark. VERB 0 root\nCats NOUN 4 nsubj\nsleep. VERB 2 parataxis"
    gold = import_files([conllu(tmp_path, "one", [tree(rows, "text = Dogs bark. Cats sleep.")])], tmp_path / "one")
    ended = call("audit", "parser", f"{subject}::verb", "--gold", gold.path, "--parsed", parsed.path)
    assert "of 1 sentence in both" in ended.out
    assert f"note: 1 sentence of {parsed.path} has no partner" in ended.err


def test_mistakes_are_one_message(call: Fictc, trees: tuple[object, ...], subject: Path, tmp_path: Path) -> None:
    other = conllu(tmp_path, "other", [sentence(SUBJECT, "pigs fly", "one")])
    ended = call("audit", "parser", "--gold", trees[1], "--parsed", other, subject)
    ((code, message, hint),) = ended.problems
    assert (ended.code, code) == (2, "FICT870")
    assert (
        message.startswith("no sentence of ")
        and hint == "the first begins with `dogs bark`, the second with `pigs fly`"
    )
    ended = call("audit", "parser", "--gold", trees[1], "--parsed", trees[1], subject)
    assert (ended.code, "have the same trees" in ended.err) == (2, True)
    wrong = tmp_path / "wrong.fict"
    wrong.write_text("fict 1 filter wrong { match { V -[nsubj]-> } }")
    ended = call("audit", "parser", *trees, wrong)
    assert (ended.code, ended.out) == (2, "") and ended.problems[0][0].startswith("FICT1")
    assert (
        "-n and --format csv exclude each other"
        in call("audit", "parser", *trees, subject, "-n", "1", "--format", "csv").err
    )
