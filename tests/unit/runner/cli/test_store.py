"""`fictc store split | merge` make stores, and say which; `info` shows one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest

from runner.corpus.byte_columns import Piece
from runner.corpus.conllu_tables import Tables, parse_piece
from runner.corpus.store import Store
from runner.corpus.store_writer import StoreWriter
from tests.unit.runner.cli.conftest import Fictc

ONE_WORD = b"1\tdogs\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n\n"


def test_parts_are_named_and_merged_again(call: Fictc, store: Path, tmp_path: Path) -> None:
    made = call("store", "split", store, "--sentences", 2, "-o", tmp_path / "parts")
    assert made.code == 0
    assert made.err.splitlines() == [f"{tmp_path}/parts/1: 2 sentences", f"{tmp_path}/parts/2: 1 sentence"]
    merged = call("store", "merge", tmp_path / "parts/1", tmp_path / "parts/2", "-o", tmp_path / "again")
    assert merged.err == f"{tmp_path}/again: 3 sentences, 7 words, from 2 stores\n"
    assert Store.open(tmp_path / "again").key == Store.open(store).key
    texts = [call("export", tmp_path / name, "--format", "conllu").out for name in ("parts/1", "parts/2", "again")]
    assert texts[0] + texts[1] == texts[2]


def test_parts_of_an_earlier_split_are_noted(call: Fictc, store: Path, tmp_path: Path) -> None:
    out = tmp_path / "parts"
    call("store", "split", store, "--sentences", 1, "-o", out)
    ended = call("store", "split", store, "--sentences", 2, "-o", out, "--force")
    assert ended.err.splitlines()[2:] == [f"note: {out} also has other stores, which are not parts: 3"]


def test_text_is_not_exported_to_a_conllu_file(call: Fictc, store: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.conllu"
    ended = call("export", store, "--output", out)
    assert (ended.code, out.exists()) == (2, False)
    assert f"--output {out} requires --format conllu" in ended.err
    assert call("export", store, "--output", out, "--format", "conllu").code == 0


def test_a_split_is_by_one_thing(call: Fictc, store: Path, tmp_path: Path) -> None:
    for how in ([], ["--parts", 2, "--words", 3]):
        assert call("store", "split", store, *how, "-o", tmp_path / "parts").code == 2


@pytest.mark.parametrize("kind", ["split", "merge"])
def test_progress_is_told(kind: str, call: Fictc, store: Path, tmp_path: Path) -> None:
    how = ["--by", "source"] if kind == "split" else []
    ended = call("store", kind, store, *how, "-o", tmp_path / "new", "--progress", "json")
    assert '"done": 3, "total": 3' in ended.err


def test_features_that_chunks_lack_are_shown(call: Fictc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(StoreWriter.__init__.__kwdefaults__, "chunk_words", 10)
    with_number = ONE_WORD.replace(b"NOUN\t_\t_", b"NOUN\t_\tNumber=Plur")
    (tmp_path / "dogs.conllu").write_bytes(with_number * 10 + ONE_WORD * 20)
    call("import", tmp_path / "dogs.conllu", "-o", tmp_path / "dogs")
    shown = json.loads(call("store", "info", tmp_path / "dogs", "--format", "json").out)
    assert shown["absent"] == {"Number": [1, 2]}
    assert shown["features"] == {"Number": "feat_Number"}


def test_sentences_with_one_source_and_number_are_found(call: Fictc, store: Path, tmp_path: Path) -> None:
    twice = tmp_path / "twice"
    twice.mkdir()
    writer = StoreWriter(twice)
    for _ in range(2):
        writer.begin("a.conllu")
        writer.write(cast("Tables", parse_piece(Piece(1, ONE_WORD), "a.conllu").tables))
        writer.end("0" * 64)
    writer.finish()
    message = f"{twice} has 1 sentence of a.conllu with the number of another sentence"
    for command in (["verify", twice], ["merge", store, twice, "-o", tmp_path / "merged"]):
        assert [problem[:2] for problem in call("store", *command).problems] == [("FICT778", message)]
