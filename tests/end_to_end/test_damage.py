"""Whatever is wrong with a store's files, no command gives a wrong row: it answers as before, or ends with 2 and says why."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner

from runner.cli import fictc
from runner.corpus.import_conllu import import_files
from runner.corpus.index_build import build_index
from runner.corpus.matches import run_in_parts, run_select
from runner.corpus.sentence_texts import read_batches
from runner.corpus.store import Store
from runner.corpus.store_writer import StoreWriter
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


@pytest.mark.long
def test_a_flipped_bit_changes_no_answer(tmp_path: Path) -> None:
    """30 single bits, anywhere in any file of a store and its index: `verify` finds each, and no row is wrong."""
    store = indexed(tmp_path, many(120))
    right, ended = asked(store)
    assert not ended
    files = sorted(path for path in store.rglob("*") if path.is_file())
    assert {"store.json", "index.json"} <= {path.name for path in files}
    rng = random.Random(11)
    refused = 0
    for number in range(30):
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
    assert refused > 10
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


READERS = (
    ("count", "filters.fict", "--corpus", "store", "--overlap"),
    ("match", "filters.fict", "--corpus", "store", "--format", "conllu"),
    ("apply", "filters.fict", "--corpus", "store"),
    ("apply", "filters.fict::noun", "--corpus", "store", "--format", "conllu", "--output", "left"),
    ("show", "filters.fict", "--corpus", "store"),
    ("show", "filters.fict", "--corpus", "store", "--by", "source"),
    ("explain", "filters.fict::words", "--corpus", "store"),
    ("lint", "filters.fict", "--corpus", "store"),
    ("stats", "frequency", "store"),
    ("stats", "cooccurrence", "filters.fict", "--corpus", "store"),
    ("export", "store", "--format", "conllu", "--output", "exported"),
    ("store", "split", "store", "--parts", "2", "--output", "parts", "--force"),
    ("store", "merge", "store", "--output", "merged", "--force"),
    ("index", "store"),
)


def answered(arguments: tuple[str, ...]) -> str | set[str]:
    """What a command prints, or the codes of its input error; any other exception is raised."""
    result = CliRunner().invoke(fictc, list(arguments))
    if isinstance(result.exception, InputError):
        return {problem.code for problem in result.exception.diagnostics}
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


def rot(path: Path, rng: random.Random) -> bytes:
    """Change a fifth of the bytes of a file in place, its time of change kept, as a disk does; what it was before."""
    status, before = path.stat(), path.read_bytes()
    data = bytearray(before)
    begin = rng.randrange(4, max(5, len(data) - len(data) // 5))
    data[begin : begin + len(data) // 5 + 1] = rng.randbytes(len(data[begin : begin + len(data) // 5 + 1]))
    path.write_bytes(data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    return before


@pytest.mark.parametrize("table", ["tokens", "sentences", "raw"])
def test_files_that_rot_without_a_sign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    """Verification remembers the file by size and time; what cannot be decoded is verified again, and no bug."""
    monkeypatch.chdir(tmp_path)
    store = corpora.store(tmp_path, many(120)).path
    (tmp_path / "filters.fict").write_text(FILTERS)
    for arguments in READERS[:-1]:
        answered(arguments)  # everything is remembered as whole
    rng = random.Random(table)
    file = next(path for path in sorted(store.rglob("*.parquet")) if path.relative_to(store).parts[0].startswith(table))
    refused = 0
    for arguments in READERS:
        status, before = file.stat(), rot(file, rng)
        found = answered(arguments)
        if isinstance(found, set):
            assert found <= {"FICT742", "FICT748"}, arguments
            refused += 1
        file.write_bytes(before)
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
        assert not isinstance(answered(("store", "verify", "store")), set)
    assert refused > 3


def other_words(store: Path) -> Store:
    """Put another store in the place of one, with the same number of sentences."""
    source = store.with_name("other.conllu")
    source.write_text(many(120).replace("NOUN", "PROPN").replace("go", "ran"))
    return import_files([source], store, force=True)


NOUNS = "SELECT sid, id FROM tokens WHERE upos = 'NOUN'"


def test_a_store_replaced_between_two_parts(tmp_path: Path) -> None:
    """A query that has read some chunks of one store never reads the others of another."""
    store = corpora.store(tmp_path, many(120))
    assert store.info.chunks > 1
    parts = run_in_parts(store, (), ["tokens"], lambda connection: run_select(connection, NOUNS), [0])
    assert next(parts).num_rows
    texts = read_batches(store, "sentences", ("text",))
    next(texts)
    other_words(store.path)
    for rest in (run_in_parts(store, (), ["tokens"], lambda connection: run_select(connection, NOUNS), [1]), texts):
        with pytest.raises(InputError) as caught:
            list(rest)
        assert [problem.code for problem in caught.value.diagnostics] == ["FICT769"]


def test_a_store_replaced_and_put_back(tmp_path: Path) -> None:
    """What was read meanwhile may be of the store between, although the last one has the content of the first."""
    source = tmp_path / "source.conllu"
    source.write_text(many(120))
    store = import_files([source], tmp_path / "store")
    with pytest.raises(InputError) as caught, store.reading():
        other_words(store.path)
        import_files([source], store.path, force=True)
    assert [problem.code for problem in caught.value.diagnostics] == ["FICT769"]


@pytest.mark.timeout(120)
def test_readers_beside_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every count is that of the old store or of the new one, or says that the store was replaced."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("old", many(120)), ("new", many(90).replace("NOUN", "PROPN"))):
        (tmp_path / f"{name}.conllu").write_text(text)
    (tmp_path / "filters.fict").write_text(FILTERS)
    count = ("count", "filters.fict", "--corpus", "store")
    right = set()
    for name in ("new", "old"):
        import_files([tmp_path / f"{name}.conllu"], tmp_path / "store", force=True)
        right.add(answered(count))
    ended = Event()

    def replace() -> None:
        while not ended.is_set():
            for name in ("new", "old"):
                import_files([tmp_path / f"{name}.conllu"], tmp_path / "store", force=True)

    with ThreadPoolExecutor(1) as pool:
        writer = pool.submit(replace)
        found = [answered(count) for _ in range(12)]
        ended.set()
        writer.result()
    assert all(each in right or each == {"FICT769"} for each in found), found
