"""Words lie by relation, know their neighbours, and are counted: all as a self-join and a GROUP BY see it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings

from fictdsl.reference.sentences import Sentence
from fictdsl.schema import COPIES, TABLES
from runner.corpus import sorted_tokens, store_writer
from runner.corpus.store import Store
from runner.corpus.store_files import VALUES
from runner.errors import InputError
from tests.support import corpora
from tests.support.strategies.sentences import treebanks
from tests.unit.runner.corpus.test_import_conllu import many

_NEIGHBOURS = {
    "h": "b.id = a.head",
    "hh": "b.id = (SELECT c.head FROM tokens c WHERE c.sid = a.sid AND c.id = a.head)",
    "n": "b.id = a.id + 1",
}


@pytest.fixture(autouse=True)
def _small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(store_writer, "ROW_GROUP", 3)
    monkeypatch.setattr(sorted_tokens, "COUNTS_GROUP", 4)
    monkeypatch.setattr(store_writer, "COUNTS_GROUP", 4)
    monkeypatch.setitem(store_writer.StoreWriter.__init__.__kwdefaults__, "chunk_words", 20)


def _check(store: Store) -> None:
    features = sorted(store.info.features)
    connection = store.connect(features)
    for copy in COPIES:
        where, _, name = copy.partition("_")
        join = f"tokens a LEFT JOIN tokens b ON a.sid = b.sid AND {_NEIGHBOURS[where]}"
        query = f"SELECT count(*) FROM {join} WHERE a.{copy} IS DISTINCT FROM b.{name}"
        assert connection.execute(query).fetchone() == (0,), copy
    for path in store.parquet("tokens"):
        rows = pq.read_table(path, columns=["deprel", "sid", "id"]).to_pylist()
        assert rows == sorted(rows, key=lambda row: (row["deprel"] is None, row["deprel"], row["sid"], row["id"]))
    counted = [column.name for column in TABLES["tokens"] if column.counted]
    for column in (*counted, *(f"feat_{name}" for name in features)):
        query = f'SELECT "{column}", count(*) FROM tokens WHERE "{column}" IS NOT NULL GROUP BY 1'
        counts = dict(connection.execute(query).fetchall())
        assert {value: store.counts.count(column, value) for value in (*counts, "no such value")} == {
            **counts,
            "no such value": 0,
        }


def test_features_that_no_word_has_are_no_columns(tmp_path: Path) -> None:
    text = (
        "1-2\tdont\t_\t_\t_\tTypo=Yes\t_\t_\t_\t_\n1\tdo\tdo\tAUX\t_\tMood=Ind\t0\troot\t_\t_\n"
        "1.1\tx\tx\tADJ\t_\tCase=Nom\t_\t_\t1:dep\t_\n2\tnt\tnot\tPART\t_\t_\t1\tadvmod\t_\t_\n\n"
    )
    store = corpora.store(tmp_path, text)
    assert list(store.info.features) == ["Mood"]
    _check(store)


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(treebanks())
def test_random_trees(sentences: list[Sentence]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        text = corpora.conllu(sentences).replace("1.1:", "1:")  # empty nodes that are not there are refused
        _check(corpora.store(Path(folder), text))


def test_many_chunks(tmp_path: Path) -> None:
    store = corpora.store(tmp_path, many(60))
    assert store.info.chunks == 6
    _check(store)
    assert [store.counts.count("form_l", value) for value in ("w7", "go", "GO")] == [1, 60, 0]


def test_a_column_that_is_not_counted(tmp_path: Path) -> None:
    store = corpora.store(tmp_path, many(3))
    assert store.counts.count("feat_Absent", "Yes") == 0
    assert store.counts.count("form", "go") is None


def test_values_in_the_description_are_looked_up_there(tmp_path: Path) -> None:
    store = corpora.store(tmp_path, many(3))
    (store.path / VALUES).unlink()
    assert [store.counts.count("upos", value) for value in ("VERB", "NO SUCH")] == [3, 0]
    with pytest.raises(InputError):
        store.counts.count("form_l", "go")
