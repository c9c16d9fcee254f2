"""What is counted inside the database is what the matches say, however the store is cut."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import duckdb
import pytest

from runner.corpus import engine as tally_module
from runner.corpus import store_writer
from runner.corpus.engine import Engine, LocalEngine
from runner.corpus.store import Store
from tests.support import corpora
from tests.support.reading import tree
from tests.unit.fictdsl.semantics.lower.test_lower import lowered

TREES = [
    tree("dogs NOUN 2 nsubj feats=Number=Plur\nbark VERB 0 root"),
    tree("the DET 2 det\ncat NOUN 0 root feats=Number=Sing"),
    tree("dogs NOUN 2 nsubj feats=Number=Plur\nsee VERB 0 root\ncats NOUN 2 obj feats=Number=Plur"),
    tree("hm INTJ 0 root"),
]
FILTERS = [lowered("V -> N[Number = Plur]"), lowered("N:NOUN"), lowered("X[form = absent]"), lowered("V:VERB")]


@pytest.fixture(params=[1, 4])
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    if request.param > 1:
        monkeypatch.setitem(store_writer.StoreWriter.__init__.__kwdefaults__, "chunk_words", 1)
    made = corpora.store(tmp_path, corpora.conllu(TREES))
    assert made.info.chunks == request.param
    return made


def test_counts_are_those_of_the_matches(store: Store) -> None:
    engine = LocalEngine(store)
    tally = engine.tally(FILTERS)
    found = [Counter(sid for part in engine.matches(one) for sid in part["sid"].to_pylist()) for one in FILTERS]
    for place, sids in enumerate(found):
        words = sum(len(TREES[sid].words) for sid in sids)
        assert (tally.matches[place], tally.sentences[place], tally.words[place]) == (sids.total(), len(sids), words)
    assert {pair: tally.sentences_of_pair[pair] for pair in combinations(range(4), 2)} == {
        (one, other): len(found[one].keys() & found[other].keys()) for one, other in combinations(range(4), 2)
    }
    exactly = Counter(Counter(sid for sids in found for sid in sids).values())
    assert tally.sentences_by_filter_count == exactly
    assert tally.words_by_filter_count.total() == sum(len(TREES[sid].words) for sid in set().union(*found))
    assert tally.matches[0] == 3  # and so not nothing


def test_rows_counted_elsewhere_come_to_the_same(store: Store) -> None:
    """What engines without a database of their own to count in do."""
    engine = LocalEngine(store)
    assert Engine.tally(engine, FILTERS) == engine.tally(FILTERS)


@dataclass
class _SmallMemory:
    """A connection that runs out of memory when it counts the pairs of filters in more than one sentence."""

    connection: duckdb.DuckDBPyConnection

    def execute(self, query: str) -> Any:
        if query == tally_module._PAIRS:
            (sentences,) = self.connection.execute("SELECT count(DISTINCT sid) FROM match_counts").fetchone() or (0,)
            if sentences > 1:
                raise duckdb.OutOfMemoryException("full")
        return self.connection.execute(query)


def test_parts_that_run_out_of_memory_are_counted_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, honest = LocalEngine(store).tally(FILTERS), tally_module.run_in_parts

    def run_in_parts(store: Store, features: Any, tables: Any, work: Any) -> Any:
        return honest(store, features, tables, lambda connection: work(_SmallMemory(connection)))

    monkeypatch.setattr(tally_module, "run_in_parts", run_in_parts)
    assert LocalEngine(store).tally(FILTERS) == whole


def test_filters_named_like_columns_of_sentences(store: Store) -> None:
    (table, *_) = LocalEngine(store).by_sentence(FILTERS, ["number", "source", "n", "v"])
    assert table.column_names == ["source", "number", "sent_id", "number::matches", "source::matches", "n", "v"]
