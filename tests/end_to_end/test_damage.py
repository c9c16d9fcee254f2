"""Whatever is wrong with a store's files, no command gives a wrong row: it answers as before, or ends with 2 and says why."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from runner.cli import fictc
from runner.corpus.indexing.build import build_index
from runner.corpus.store import Store
from runner.corpus.writer import StoreWriter
from runner.errors import InputError
from tests.support import corpora
from tests.unit.runner.corpus.test_import_conllu import many

FILTERS = """fict 1
filter noun { match { N:NOUN } }
filter singular { match { V -[nsubj]-> S[Number = Sing]  without { V << X[lemma = absent] } } remove node(S) }
filter words { match { X[form = w7|w8|w110] } }
filter comment { match { X:VERB  sentence[meta.sent_id = s4|s5] } }
"""
COMMANDS = (
    ("count", "--overlap"),
    ("match", "--format", "json"),
    ("match", "--format", "conllu"),
    ("apply", "--format", "jsonl"),
)
Answers = dict[tuple[str, ...], str]


@pytest.fixture(autouse=True)
def _small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setitem(StoreWriter.__init__.__kwdefaults__, "chunk_words", 150)


def indexed(folder: Path, text: str) -> Path:
    store = corpora.store(folder, text)
    assert store.info.chunks > 1
    build_index(store)
    return store.path


def asked(store: Path) -> tuple[Answers, dict[tuple[str, ...], set[str]]]:
    """What each command prints, or the codes it ends with where it ends with an input error."""
    filters = store.parent / "filters.fict"
    filters.write_text(FILTERS)
    printed, ended = {}, {}
    for command in COMMANDS:
        name, *options = command
        result = CliRunner().invoke(fictc, [name, str(filters), "--corpus", str(store), *options])
        if isinstance(result.exception, InputError):
            ended[command] = {problem.code for problem in result.exception.diagnostics}
        elif result.exception is not None:
            raise result.exception
        else:
            printed[command] = result.stdout
    return printed, ended


def is_caught(store: Path) -> bool:
    """Whether `fictc store verify` finds something wrong."""
    result = CliRunner().invoke(fictc, ["store", "verify", str(store)])
    return isinstance(result.exception, InputError)


def test_a_flipped_bit_changes_no_answer(tmp_path: Path) -> None:
    """60 single bits, anywhere in any file of a store and its index: `verify` finds each, and no row is wrong."""
    store = indexed(tmp_path, many(120))
    right, ended = asked(store)
    assert not ended
    files = sorted(path for path in store.rglob("*") if path.is_file())
    assert {"store.json", "index.json"} <= {path.name for path in files}
    rng = random.Random(11)
    refused = 0
    for number in range(60):
        path = files[number % len(files)] if number < len(files) else rng.choice(files)
        before = path.read_bytes()
        data = bytearray(before)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(data)
        printed, ended = asked(store)
        assert printed == {command: right[command] for command in printed}, path
        assert all(codes <= {"FICT741", "FICT742", "FICT748"} for codes in ended.values()), (path, ended)
        assert is_caught(store), path
        refused += bool(ended)
        path.write_bytes(before)
    assert refused > 20
    assert asked(store) == (right, {})


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def _no_parquet(path: Path) -> None:
    path.write_text("1\tword\n" * 50)


def _absent(path: Path) -> None:
    path.unlink()


def _of_another_chunk(path: Path) -> None:
    shutil.copyfile(path.with_name("00001.parquet"), path)


@pytest.mark.parametrize("damage", [_empty, _truncated, _no_parquet, _absent, _of_another_chunk])
def test_files_that_are_none_of_the_store(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    store = corpora.store(tmp_path, many(120)).path
    right, _ = asked(store)
    for table in ("tokens", "sentences", "raw", "meta"):
        path = store / table / "00000.parquet"
        before = path.read_bytes()
        damage(path)
        printed, ended = asked(store)
        assert printed == {command: right[command] for command in printed}
        assert set().union(*ended.values()) == {"FICT742"}
        with pytest.raises(InputError) as caught:
            Store.open(store).connect()
        assert str(path) in caught.value.diagnostics[0].message
        path.write_bytes(before)


def test_a_chunk_of_another_store(tmp_path: Path) -> None:
    one = corpora.store(tmp_path / "a", many(120)).path
    other = corpora.store(tmp_path / "b", many(120).replace("go", "ran")).path
    shutil.copyfile(other / "tokens" / "00000.parquet", one / "tokens" / "00000.parquet")
    assert is_caught(one)
    assert set().union(*asked(one)[1].values()) == {"FICT742"}


def test_many_may_read_at_once(tmp_path: Path) -> None:
    """Four processes with an empty cache between them, each its own database."""
    store = indexed(tmp_path, many(120))
    asked(store)
    shutil.rmtree(tmp_path / "cache")
    command = [sys.executable, "-m", "runner.cli", "count", tmp_path / "store/../filters.fict", "--corpus", store]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(4)]
    printed = [process.communicate(timeout=120)[0] for process in running]
    assert [process.returncode for process in running] == [0] * 4
    assert len(set(printed)) == 1
    assert b"noun" in printed[0]
