"""`fictc match`: which sentences, in which formats."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from runner.corpus.engine import Engine, LocalEngine
from runner.corpus.filter_arguments import load_filters
from runner.corpus.import_conllu import import_files
from runner.corpus.store import Store
from tests.unit.runner.cli.conftest import Fictc


def test_ids(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("match", f"{filters}::subject", "--corpus", store)
    assert (ended.code, ended.out, ended.err) == (0, "one\ncorpus.conllu:3\n", "")


def test_keep_or_remove_makes_no_difference(call: Fictc, filters: Path, store: Path) -> None:
    assert call("match", f"{filters}::number.Sing", "--corpus", store).out == "two\n"


def test_several_filters_are_a_union(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("match", f"{filters}::number.Sing", f"{filters}::subject", "--corpus", store)
    assert ended.out.splitlines() == ["one", "two", "corpus.conllu:3"]


def test_json_is_one_document_and_one_object_a_line(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("match", filters, "--corpus", store, "--format", "json")
    found = json.loads(ended.out)
    assert [json.loads(line.rstrip(",")) for line in ended.out.splitlines()[1:-1]] == found
    assert found[0] == {
        "source": "corpus.conllu",
        "number": 1,
        "sent_id": "one",
        "matches": [
            {"filter": "subject", "words": {"V": 2, "S": 1}},
            {"filter": "number.Plur", "words": {"N": 1}},
        ],
    }
    assert [entry["sent_id"] for entry in found] == ["one", "two", None]


def test_json_of_nothing(call: Fictc, filters: Path, store: Path, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.fict"
    nothing.write_text("fict 1 filter nothing { match { X[form = absent] } }")
    assert json.loads(call("match", nothing, "--corpus", store, "--format", "json").out) == []


def test_trees_and_text_go_out_as_they_came_in(call: Fictc, filters: Path, store: Path, tmp_path: Path) -> None:
    ended = call("match", f"{filters}::subject", "--corpus", store, "--format", "conllu")
    blocks = (tmp_path / "corpus.conllu").read_text().split("\n\n")
    assert ended.out == f"{blocks[0]}\n\n{blocks[2]}\n\n"
    ended = call("match", f"{filters}::subject", "--corpus", store, "--format", "text")
    assert ended.out == "dogs bark cats\ncats hiss\x1b[31m\n"


def test_a_feature_the_corpus_lacks_is_noted(call: Fictc, store: Path, tmp_path: Path) -> None:
    path = tmp_path / "gender.fict"
    path.write_text("fict 1 filter gender { match { X[Gender = Fem] } }")
    ended = call("match", path, "--corpus", store)
    assert (ended.code, ended.out) == (0, "")
    assert ended.err == "note: gender tests Gender, which no word of this corpus has\n"


def test_a_document_ends_with_its_file(call: Fictc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`doc` is the last `newdoc id` at or before a sentence, in its file."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    row = "1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    texts = {
        "a.conllu": f"{row}# newdoc id = d1\n{row}{row}# newdoc id = d2\n{row}",
        "b.conllu": f"{row}# newdoc id = d1\n{row}",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    store = import_files([tmp_path / name for name in texts], tmp_path / "store").path
    path = tmp_path / "doc.fict"
    for test, found in {
        "doc = d1": ["a.conllu:2", "a.conllu:3", "b.conllu:2"],
        "doc = d2": ["a.conllu:4"],
        "not has doc": ["a.conllu:1", "b.conllu:1"],
    }.items():
        path.write_text(f'fict 1 filter doc {{ about "d" match {{ sentence[{test}] }} }}')
        assert call("match", path, "--corpus", store).out.split() == found


def test_mistakes(call: Fictc, filters: Path, store: Path, tmp_path: Path) -> None:
    ended = call("match", f"{filters}::subjct", "--corpus", store)
    assert (ended.code, [problem[0] for problem in ended.problems]) == (2, ["FICT290"])
    assert ended.problems[0][2] == "the nearest name is `subject`"
    ended = call("match", tmp_path / "filter.fict", "--corpus", store)
    assert [problem[0] for problem in ended.problems] == ["FICT292"]
    assert ended.problems[0][2] == "the nearest name is `filters.fict`"
    ended = call("match", filters, "--corpus", tmp_path / "absent")
    assert [problem[0] for problem in ended.problems] == ["FICT740"]
    assert call("match", filters).code == 2


TABLE = [
    {"source": "corpus.conllu", "number": 1, "sent_id": "one", "subject": 1, "number.Sing": 0, "number.Plur": 1},
    {"source": "corpus.conllu", "number": 2, "sent_id": "two", "subject": 0, "number.Sing": 1, "number.Plur": 0},
    {"source": "corpus.conllu", "number": 3, "sent_id": None, "subject": 1, "number.Sing": 0, "number.Plur": 1},
]


def test_a_table_of_sentences_and_filters(call: Fictc, filters: Path, store: Path, tmp_path: Path) -> None:
    lines = call("match", filters, "--corpus", store, "--format", "tsv").out.splitlines()
    assert lines == [
        "\t".join(TABLE[0]),
        *("\t".join("" if value is None else str(value) for value in row.values()) for row in TABLE),
    ]
    path = tmp_path / "found.parquet"
    assert call("match", filters, "--corpus", store, "--format", "parquet", "--output", path).code == 0
    assert pq.read_table(path).to_pylist() == TABLE


def test_rows_counted_elsewhere_make_the_same_table(filters: Path, store: Path) -> None:
    engine, chosen = LocalEngine(Store.open(store)), load_filters([str(filters)])
    (table,) = Engine.by_sentence(engine, chosen, [one.name for one in chosen])
    assert table.to_pylist() == TABLE


@pytest.mark.parametrize("options", [["--format", "parquet"], ["--output", "x"]])
def test_parquet_needs_a_file(call: Fictc, filters: Path, store: Path, options: list[str]) -> None:
    assert call("match", filters, "--corpus", store, *options).code == 2
