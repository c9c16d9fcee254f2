"""A statement is written once for a filter and a store; what is remembered is never another one, nor a damaged one."""

from __future__ import annotations

from pathlib import Path

import pytest

from fictdsl.compiler import CompiledFilter
from runner.corpus.indexing.build import build_index
from runner.corpus.query import statement_cache
from runner.corpus.query.statement_cache import cached_statement
from runner.corpus.store.opening import Store
from tests.support import corpora
from tests.unit.fictdsl.semantics.lower.test_lower import lowered
from tests.unit.runner.corpus.ingest.test_import_conllu import TWO, many

FILTER = lowered("V -> N[Number = Plur]")


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The filters that the compiler wrote as SQL, one after the other; nothing is remembered yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    honest, found = CompiledFilter.statement, list[str]()
    monkeypatch.setattr(
        CompiledFilter, "statement", lambda self, **options: found.append(self.name) or honest(self, **options)
    )
    return found


def test_it_is_written_once(tmp_path: Path, written: list[str]) -> None:
    store = corpora.store(tmp_path, TWO)
    first = cached_statement(store, FILTER)
    assert cached_statement(Store.open(store.path), lowered("V -> N[Number = Plur]")) == first
    assert len(written) == 1
    assert first == FILTER.statement(layout=store.layout)


def test_another_filter_store_index_or_compiler_is_another(
    tmp_path: Path, written: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = corpora.store(tmp_path / "a", TWO)
    cached_statement(store, FILTER)
    cached_statement(store, lowered("V -> N[Number = Sing]"))
    cached_statement(store, lowered("W -> N[Number = Plur]"))  # its names are others
    cached_statement(corpora.store(tmp_path / "b", many(5)), FILTER)
    build_index(store)
    cached_statement(Store.open(store.path), FILTER)
    monkeypatch.setattr(statement_cache, "_compiler_state", lambda: ["another"])
    cached_statement(store, FILTER)
    assert len(written) == 6


@pytest.mark.parametrize("damage", [b"", b"{}", b"[]", b"\xff", None])
def test_what_is_damaged_is_written_again(tmp_path: Path, written: list[str], damage: bytes | None) -> None:
    store = corpora.store(tmp_path, TWO)
    first = cached_statement(store, FILTER)
    (file,) = (tmp_path / "cache").rglob("statements/*.json")
    file.write_bytes(file.read_bytes().replace(b"Plur", b"Sing") if damage is None else damage)
    assert cached_statement(store, FILTER) == first
    assert len(written) == 2
    assert cached_statement(store, FILTER) == first
    assert len(written) == 2


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path, written: list[str]) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    store = corpora.store(tmp_path / "s", TWO)
    assert cached_statement(store, FILTER) == cached_statement(store, FILTER)
    assert len(written) == 2
