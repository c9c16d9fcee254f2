"""A filter finds the same in a store of one chunk and in one of many, and only one SELECT is ever run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from fictdsl.compiler import CompiledFilter
from runner.corpus import matches, store_writer
from runner.corpus.limits import Limits
from runner.corpus.run_query import OutOfTimeError
from runner.corpus.store import Store
from runner.errors import InputError
from tests.support import corpora
from tests.support.reading import tree
from tests.unit.fictdsl.semantics.lower.test_lower import lowered

DOGS = tree("dogs NOUN 2 nsubj feats=Number=Plur\nbark VERB 0 root")
CAT = tree("the DET 2 det\ncat NOUN 0 root feats=Number=Sing")
TEXT = corpora.conllu([DOGS, CAT, DOGS, DOGS, CAT])
PLURAL = lowered("V -> N[Number = Plur]")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(params=[1, 5])
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    if request.param > 1:
        monkeypatch.setattr(store_writer, "ROW_GROUP", 2)
        monkeypatch.setitem(store_writer.StoreWriter.__init__.__kwdefaults__, "chunk_words", 2)
    made = corpora.store(tmp_path, TEXT)
    assert made.info.chunks == request.param
    return made


def test_matches(store: Store) -> None:
    table = matches.match(store, PLURAL)
    assert table.to_pydict() == {"sid": [0, 2, 3], "m0": [2, 2, 2], "m1": [1, 1, 1]}


@pytest.mark.parametrize("few", [0, 9])
def test_matches_in_some_sentences(store: Store, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "_MAX_SIDS", few)
    assert matches.match_in(store, PLURAL, np.array([1, 2])).to_pydict()["sid"] == [2]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ([PLURAL], [0, 2, 3]),
        ([PLURAL, lowered("X[form = cat]")], [0, 1, 2, 3, 4]),
        ([lowered("X[form = absent]")], []),
        ([lowered("X[Absent = x]")], []),
        ([], []),
    ],
)
def test_sentences(store: Store, filters: list[CompiledFilter], expected: list[int]) -> None:
    found = matches.matching_sids(store, filters)
    assert found.dtype == np.int64
    assert found.tolist() == expected


@pytest.mark.parametrize("text", ["SELECT 1; SELECT 2", "COPY (SELECT 1) TO 'x'", "SET threads = 1", ""])
def test_nothing_but_one_select(store: Store, text: str) -> None:
    with store.connect() as connection, pytest.raises(AssertionError):
        matches.run_select(connection, text)


def test_no_memory_left_is_one_message(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise duckdb.OutOfMemoryException("Out of Memory Error: 3 bytes\nMore about it")

    monkeypatch.setattr(matches, "run_select", fail)
    with pytest.raises(InputError) as caught:
        matches.match(store, PLURAL)
    (problem,) = caught.value.diagnostics
    assert problem.code == "FICT746"
    assert problem.message.endswith("Out of Memory Error: 3 bytes")


def test_a_question_that_takes_too_long_is_one_message(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The query that is run counts numbers for hours."""
    endless = "SELECT count(*) AS sid FROM range(1000000000) AS a, range(1000000000) AS b"
    honest = matches.run_select
    monkeypatch.setattr(matches, "run_select", lambda connection, _: honest(connection, endless))
    with pytest.raises(OutOfTimeError) as caught:
        matches.match(Store.open(store.path, Limits(timeout=0.05)), PLURAL)
    (problem,) = caught.value.diagnostics
    assert (problem.code, problem.hint) == ("FICT746", "`--timeout SECONDS` raises the limit, and 0 removes it")


@pytest.mark.parametrize("room", [1, 2, 3])
def test_where_memory_does_not_suffice_parts_are_smaller(
    store: Store, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if no more than `room` sentences fitted: the same rows in the same order, and each sentence asked once."""
    honest = matches.run_select
    asked: list[int] = []

    def small(connection: duckdb.DuckDBPyConnection, text: str) -> Any:
        held = [sid for (sid,) in connection.execute("SELECT DISTINCT sid FROM tokens ORDER BY 1").fetchall()]
        if len(held) > room:
            raise duckdb.OutOfMemoryException("full")
        asked.extend(held)
        return honest(connection, text)

    whole = matches.match(store, PLURAL)
    monkeypatch.setattr(matches, "run_select", small)
    assert matches.match(store, PLURAL).equals(whole)
    assert asked == [0, 1, 2, 3, 4]
