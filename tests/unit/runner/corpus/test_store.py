"""A store that opens is whole, a connection reads it and nothing else, and a changed bit never becomes an answer."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

from runner.corpus import store_files
from runner.corpus.limits import Limits
from runner.corpus.store import Store
from runner.errors import InputError
from runner.workspace import key
from tests.support import corpora
from tests.unit.runner.corpus.test_import_conllu import TWO, many


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def _ask(store: Store) -> None:
    """Need every file of a store."""
    store.connect()
    store.counts.count("form_l", "x")


def fault(path: Path) -> str:
    """The code of what is wrong with the store at `path`, when it is opened and asked."""
    with pytest.raises(InputError) as caught:
        _ask(Store.open(path))
    return caught.value.diagnostics[0].code


def test_paths_that_are_no_store(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    assert [fault(tmp_path / name) for name in ("absent", "folder", "file", "file/x")] == ["FICT740"] * 4


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "FICT742"), ("[]", "FICT742"), ("{}", "FICT741"), ('{"schema": 5}', "FICT741"), ('{"schema": 4}', "FICT742")],
)
def test_descriptions_that_are_none(text: str, code: str, tmp_path: Path) -> None:
    store = corpora.store(tmp_path, TWO)
    (store.path / "store.json").write_text(text)
    assert fault(store.path) == code


def test_a_changed_description_is_found(tmp_path: Path) -> None:
    store = corpora.store(tmp_path, TWO)
    file = store.path / "store.json"
    file.write_text(file.read_text().replace('"sentences":2', '"sentences":3'))
    assert fault(store.path) == "FICT742"


def test_the_key_is_the_hash_of_the_content(tmp_path: Path) -> None:
    store = corpora.store(tmp_path, TWO)
    content = json.loads((store.path / "store.json").read_text())
    assert list(content)[-1] == "sha256"
    assert content.pop("sha256") == store.key == key(content)


def test_every_flipped_bit_is_an_error(tmp_path: Path) -> None:
    """60 random single-bit changes in the files of a store: 60 errors, no answer."""
    store = corpora.store(tmp_path, many(200))
    rng = random.Random(7)
    for _ in range(60):
        path = store.path / rng.choice(sorted(store.files))
        data = bytearray(path.read_bytes())
        place = rng.randrange(len(data))
        data[place] ^= 1 << rng.randrange(8)
        before = path.read_bytes()
        path.write_bytes(data)
        assert fault(store.path) == "FICT742"
        path.write_bytes(before)
    assert store.connect().execute("SELECT count(*) FROM tokens").fetchone() == (400,)


@pytest.mark.parametrize(("damage", "said"), [(b"", "0 bytes"), (b"PAR1", "4 bytes"), (None, None)])
def test_damaged_files_are_named(damage: bytes | None, said: str | None, tmp_path: Path) -> None:
    store = corpora.store(tmp_path, TWO)
    path = store.path / "tokens" / "00000.parquet"
    size = path.stat().st_size
    if damage is None:
        path.unlink()
    else:
        path.write_bytes(damage)
    with pytest.raises(InputError) as caught:
        store.connect()
    message = caught.value.diagnostics[0].message
    assert str(path) in message
    assert said is None or f"it has {said} instead of {size:,}" in message


def test_verified_files_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = corpora.store(tmp_path, TWO)
    read: list[str] = []
    honest = store_files.sha256_file
    monkeypatch.setattr(store_files, "sha256_file", lambda path: read.append(path.name) or honest(path))
    _ask(store)
    assert len(read) == len(store.files)
    _ask(Store.open(store.path))
    assert len(read) == len(store.files)
    os.utime(store.path / "tokens" / "00000.parquet", ns=(1, 1))
    _ask(store)
    assert len(read) == len(store.files) + 1
    store.verify()
    assert len(read) == 2 * len(store.files) + 1


def test_verify_reads_though_all_was_seen(tmp_path: Path) -> None:
    """A change that keeps size, time and inode escapes the memory, and not `verify`."""
    store = corpora.store(tmp_path, TWO)
    store.connect()
    path = store.path / "raw" / "00000.parquet"
    stamp = path.stat()
    data = bytearray(path.read_bytes())
    data[40] ^= 1
    with path.open("r+b") as file:
        file.write(data)
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    store.connect()
    with pytest.raises(InputError) as caught:
        store.verify()
    assert caught.value.diagnostics[0].code == "FICT742"


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert corpora.store(tmp_path / "s", TWO).connect().execute("SELECT count(*) FROM tokens").fetchone() == (4,)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM read_text('/etc/hostname')",
        "SELECT * FROM read_text('{store}/../corpus.conllu')",
        "SELECT * FROM read_parquet('{store}/tokens/../../other.parquet')",
        "SELECT * FROM glob('/etc/*')",
        "COPY (SELECT 1) TO '{folder}/evil.csv'",
        "COPY (SELECT 1) TO '{store}/evil.csv'",
        "COPY (SELECT 1) TO '{store}/tokens/evil.parquet'",
        "COPY (SELECT 1 AS a) TO '{store}/tokens/00000.parquet'",
        "EXPORT DATABASE '{folder}/evil'",
        "ATTACH '{folder}/evil.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET threads = 1",
        "RESET lock_configuration",
    ],
)
def test_a_connection_can_do_nothing_else(statement: str, tmp_path: Path) -> None:
    import duckdb

    store = corpora.store(tmp_path, TWO)
    before = sorted(p for p in tmp_path.rglob("*") if "cache" not in p.parts)
    with store.connect() as connection, pytest.raises(duckdb.Error):
        connection.execute(statement.format(store=store.path, folder=tmp_path)).fetchall()
    assert sorted(p for p in tmp_path.rglob("*") if "cache" not in p.parts) == before
    store.verify()


def test_little_memory_gives_the_same_answer(tmp_path: Path) -> None:
    store = corpora.store(tmp_path, many(3000))
    query = "SELECT form, sid FROM tokens ORDER BY form, sid"
    limited = Store.open(store.path, Limits(memory=64_000_000, threads=1))
    small = limited.connect().execute(query).fetchall()
    assert small == store.connect().execute(query).fetchall()


def test_odd_folder_names(tmp_path: Path) -> None:
    folder = tmp_path / "it's a [glob]* $HOME 'x' ünï"
    folder.mkdir()
    assert corpora.store(folder, TWO).connect().execute("SELECT count(*) FROM tokens").fetchone() == (4,)
