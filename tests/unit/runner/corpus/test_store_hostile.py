"""A store whose description or files were made by somebody else ends with a message, at once."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from runner.corpus.index_build import build_index
from runner.corpus.store import Store
from runner.errors import InputError
from runner.workspace import sha256_file
from tests.support import corpora
from tests.unit.runner.corpus.test_import_conllu import TWO

pytestmark = pytest.mark.timeout(20)


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _zero(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _link_to_fifo(path: Path) -> None:
    os.mkfifo(path.with_name("pipe"))
    path.symlink_to("pipe")


IRREGULAR = [_fifo, _zero, _link_to_fifo, Path.mkdir]


def _refusal(path: Path) -> tuple[str, str]:
    """The code and the message of what is wrong with a store, when it is opened and all of it is asked for."""
    with pytest.raises(InputError) as caught:
        store = Store.open(path)
        store.connect(tables=("tokens", "raw", "sentences", *(view.table for view in store.layout.sorted_copies)))
        store.counts.count("form_l", "x")
        store.verify()
    first = caught.value.diagnostics[0]
    return first.code, first.message


def _sign(file: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change a description, and give it the sha256 of what it then says."""
    content = json.loads(file.read_text())
    del content["sha256"]
    change(content)
    text = json.dumps([content], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    digest = hashlib.sha256(text.encode()).hexdigest()  # as `key` computes it, for NaN and infinity too
    file.write_text(json.dumps(content | {"sha256": digest}))


@pytest.mark.parametrize("make", IRREGULAR)
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("store.json", "FICT742"),
        ("index/index.json", "FICT748"),
        ("tokens/00000.parquet", "FICT742"),
        ("raw/00000.parquet", "FICT742"),
        ("values/00000.parquet", "FICT742"),
        ("index/000.parquet", "FICT748"),
    ],
)
def test_what_is_no_regular_file_is_refused(
    make: Callable[[Path], None], name: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    store = corpora.store(tmp_path, TWO)
    build_index(store)
    (store.path / name).unlink()
    make(store.path / name)
    found, message = _refusal(store.path)
    assert (found, "not a regular file" in message) == (code, True)


def _set(*path: str | int, value: object) -> Callable[[dict[str, Any]], None]:
    def change(content: Any) -> None:
        for step in path[:-1]:
            content = content[step]
        content[path[-1]] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        _set("counts", "chunks", value=10**9),
        _set("counts", "chunks", value=0),
        _set("counts", "sentences", value=10**12),
        _set("counts", "words", value=10**12),
        _set("ends", value=[1]),
        _set("ends", value=[10**12]),
        _set("ends", value=[]),
        _set("absent", value={"Number": [7]}),
        _set("annotator", value={"seconds": float("inf")}),
        _set("annotator", value={"seconds": float("nan")}),
        _set("sources", 0, "sentences", value=10**12),
        _set("files", "/etc/passwd", value={"size": 0, "sha256": ""}),
        _set("files", "../x.parquet", value={"size": 0, "sha256": ""}),
        _set("files", "a\0b", value={"size": 0, "sha256": ""}),
        lambda content: content["files"].pop("raw/00000.parquet"),
        lambda content: content["files"].pop("values/00000.parquet"),
        lambda content: content.update(
            ends=[10**12],
            counts={**content["counts"], "sentences": 10**12},
            sources=[{**content["sources"][0], "sentences": 10**12}],
        ),
    ],
)
def test_a_signed_description_that_contradicts_itself_is_damaged(change: Any, tmp_path: Path) -> None:
    store = corpora.store(tmp_path, TWO)
    store.connect()  # so that its files are remembered as whole
    _sign(store.path / "store.json", change)
    assert _refusal(store.path)[0] == "FICT742"


def test_a_layer_of_an_unknown_kind_is_damaged(tmp_path: Path) -> None:
    store = corpora.store(tmp_path, TWO)
    layer = {"kind": "x", "names": [], "source": "", "sha256": "", "rows": 0, "values": {}}
    _sign(store.path / "store.json", _set("layers", value={"x": layer}))
    assert _refusal(store.path)[1].endswith("its `layers` is missing or has the wrong type")


@pytest.mark.parametrize(
    "change",
    [
        _set("projections", 0, "columns", 3, value={}),
        _set("projections", 0, "columns", value=["sid", "id", "none"]),
        _set("projections", 0, "file", value="other.parquet"),
        _set("projections", 0, "rows", value="many"),
        lambda content: (
            content["files"].update({"../index/000.parquet": content["files"].pop("000.parquet")}),
            content["projections"][0].update(file="../index/000.parquet"),
        ),
        _set("projections", value={}),
        _set("tokens", value=[]),
        _set("files", value=[]),
        _set("version", value=None),
        lambda content: content.pop("version"),
        lambda content: content.pop("projections"),
    ],
)
def test_a_signed_description_of_an_index_is_checked(change: Any, tmp_path: Path) -> None:
    store = corpora.store(tmp_path, TWO)
    build_index(store)
    _sign(store.path / "index/index.json", change)
    assert _refusal(store.path)[0] == "FICT748"


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("values/00000.parquet", lambda table: table.drop_columns("words"), "no column `words`"),
        ("values/00000.parquet", lambda table: table.cast(_cast(table, "words", pa.string())), "has type string"),
        ("tokens/00000.parquet", lambda table: table.drop_columns("head"), "no column `head`"),
        ("sentences/00000.parquet", lambda table: table.slice(1), "rows instead of 2"),
        ("raw/00000.parquet", None, "is not a Parquet file"),
    ],
)
def test_a_signed_table_of_other_columns_is_damaged(name: str, change: Any, said: str, tmp_path: Path) -> None:
    store = corpora.store(tmp_path, TWO)
    path = store.path / name
    if change is None:
        path.write_bytes(b"PAR1")
    else:
        pq.write_table(change(pq.ParquetFile(path).read()), path)
    entry = {"size": path.stat().st_size, "sha256": sha256_file(path)}
    _sign(store.path / "store.json", _set("files", name, value=entry))
    code, message = _refusal(store.path)
    assert (code, said in message) == ("FICT742", True), message


def _cast(table: pa.Table, name: str, kind: pa.DataType) -> pa.Schema:
    return table.schema.set(table.schema.get_field_index(name), pa.field(name, kind))
