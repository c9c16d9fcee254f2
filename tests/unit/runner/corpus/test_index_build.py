"""An index has the rows of the words, sorted; a changed one is an error, and one of other words is not used."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from fictdsl.reference.sentences import Sentence
from runner.corpus import index_build
from runner.corpus.import_conllu import import_files
from runner.corpus.index_build import build_index, estimate
from runner.corpus.store import Store
from runner.corpus.store_index import drop_index, is_foreign
from runner.corpus.store_writer import StoreWriter
from runner.errors import InputError
from tests.support import corpora
from tests.support.reading import tree
from tests.support.strategies.rng import Rng
from tests.support.strategies.sentences import make_sentence


@pytest.fixture(autouse=True)
def _small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of one's own; and chunks, slices, partitions and row groups that a small corpus has several of."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setitem(StoreWriter.__init__.__kwdefaults__, "chunk_words", 300)
    monkeypatch.setattr(index_build, "PARTITION_ROWS", 50)
    monkeypatch.setattr(index_build, "ROW_GROUP", 20)
    monkeypatch.setattr(index_build, "SLICE_ROWS", 30)


def indexed(folder: Path, sentences: list[Sentence] | None = None) -> Store:
    store = corpora.store(folder, corpora.conllu(sentences or drawn(300)))
    build_index(store)
    return Store.open(store.path)


def drawn(count: int, seed: int = 0) -> list[Sentence]:
    rng = Rng.seeded(seed)
    sentences = [make_sentence(rng) for _ in range(count)]
    return [replace(each, words=tuple(replace(word, deps=()) for word in each.words)) for each in sentences]


def test_every_sorted_copy_has_the_rows_of_the_words(tmp_path: Path) -> None:
    store = indexed(tmp_path)
    by = [each.by for each in store.layout.sorted_copies]
    assert by[:2] == ["form_l", "lemma_l"]
    assert set(by[2:]) == {f"feat_{name}" for name in store.info.features} - set(frequent(store))
    for each in store.layout.sorted_copies:
        features = [name.removeprefix("feat_") for name in each.columns if name.startswith("feat_")]
        with store.connect(features, tables=["tokens", each.table]) as connection:
            columns = ", ".join(f'"{name}"' for name in sorted(each.columns))
            found = connection.execute(f'SELECT {columns} FROM "{each.table}"').fetchall()
            wanted = f'SELECT {columns} FROM tokens WHERE "{each.by}" IS NOT NULL ORDER BY "{each.by}", sid, id'
            assert found == connection.execute(wanted).fetchall()


def frequent(store: Store) -> list[str]:
    counts = {name: sum(store.info.values[name].values()) for name in store.info.features}
    return [f"feat_{name}" for name, count in counts.items() if count > index_build.MAX_SORTED_SHARE * store.info.words]


def test_all_but_seldom_features_are_columns_and_rare_ones_copies(tmp_path: Path) -> None:
    common = [tree("dog NOUN 0 root feats=Number=Sing")] * 390 + [tree("my DET 0 root feats=Poss=Yes")] * 10
    store = indexed(tmp_path, [*common, tree("herself PRON 0 root feats=Number=Sing|Reflex=Yes")])
    form, _, poss, reflex = store.layout.sorted_copies
    assert {"feat_Number", "feat_Poss"} <= form.columns
    assert "feat_Reflex" not in form.columns
    assert (poss.by, reflex.by) == ("feat_Poss", "feat_Reflex")
    with store.connect(tables=[reflex.table]) as connection:
        shown = connection.execute(f'SELECT sid, form, "feat_Reflex", "feat_Number" FROM "{reflex.table}"').fetchall()
    assert shown == [(400, "herself", "Yes", "Sing")]


def test_a_connection_to_some_sentences_has_their_rows(tmp_path: Path) -> None:
    store = indexed(tmp_path)
    assert store.info.chunks > 2
    for limits in ({"chunks": [1]}, {"chunks": [1, 2]}, {"sids": [3, 200]}):
        with store.connect(tables=["tokens", "tokens_by_form_l"], **limits) as connection:
            rows = [
                connection.execute(f"SELECT sid, id FROM {table} ORDER BY ALL").fetchall()
                for table in ("tokens", "tokens_by_form_l")
            ]
            queries = connection.execute("SELECT sql FROM duckdb_views() WHERE NOT internal").fetchall()
        assert rows[0] == rows[1] != []
        assert all(query.count(",") < 100 for (query,) in queries)  # not a list of a chunk's sentences


def test_two_builds_give_the_same_bytes_and_the_store_keeps_its_key(tmp_path: Path) -> None:
    store = indexed(tmp_path)
    before = {file.name: file.read_bytes() for file in (store.path / "index").iterdir()}
    build_index(store)
    assert {file.name: file.read_bytes() for file in (store.path / "index").iterdir()} == before
    assert Store.open(store.path).key == store.key


def test_every_flipped_bit_is_an_error(tmp_path: Path) -> None:
    store = indexed(tmp_path)
    tables = [each.table for each in store.layout.sorted_copies]
    rng = random.Random(3)
    for _ in range(40):
        path = store.path / "index" / rng.choice([*store.index.files, "index.json"])
        before = path.read_bytes()
        data = bytearray(before)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(data)
        with pytest.raises(InputError) as caught:
            Store.open(store.path).connect(tables=tables)
        assert caught.value.diagnostics[0].code == "FICT748"
        path.write_bytes(before)


def test_an_index_of_other_words_is_not_used(tmp_path: Path) -> None:
    store, other = indexed(tmp_path / "one"), corpora.store(tmp_path / "other", corpora.conllu(drawn(20, seed=1)))
    shutil.copytree(store.path / "index", other.path / "index")
    found = Store.open(other.path)
    assert is_foreign(found.path, found.files)
    assert found.layout.sorted_copies == ()


def test_a_dropped_index_is_gone(tmp_path: Path) -> None:
    store = indexed(tmp_path)
    assert drop_index(store.path)
    assert not drop_index(store.path)
    assert Store.open(store.path).layout.sorted_copies == ()
    assert "index" not in [path.name for path in store.path.iterdir()]


def test_what_fails_leaves_the_older_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = indexed(tmp_path)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_index(store, stop)
    assert Store.open(store.path).index is not None
    assert [path.name for path in store.path.iterdir() if path.name.startswith(".")] == []


def test_the_estimate_counts_rows_and_columns(tmp_path: Path) -> None:
    store = indexed(tmp_path)
    guessed = estimate(store)
    assert guessed.rows["form_l"] == store.info.words
    by = {each.by: each for each in store.index.sorted_copies}
    assert set(guessed.rows) == set(by)
    for name, rows_of in guessed.rows.items():
        real = pq.read_metadata(by[name].path)
        assert real.num_rows <= rows_of
        assert real.num_columns in (guessed.columns, guessed.columns + 1)


def test_a_feature_that_a_chunk_lacks_is_null_there(tmp_path: Path) -> None:
    for name, word in (("a", "dog NOUN 0 root feats=Number=Sing"), ("b", "my DET 0 root feats=Poss=Yes")):
        (tmp_path / f"{name}.conllu").write_text(corpora.conllu([tree(word)] * 350))
    store = import_files([tmp_path / "a.conllu", tmp_path / "b.conllu"], tmp_path / "store")
    build_index(store)
    store = Store.open(store.path)
    assert store.info.absent == {"Number": {2}, "Poss": {0}}
    form = store.layout.sorted_copies[0]
    with store.connect(["Number", "Poss"], tables=[form.table]) as connection:
        counted = f'SELECT "feat_Number", "feat_Poss", count(*) FROM "{form.table}" GROUP BY ALL ORDER BY ALL'
        assert connection.execute(counted).fetchall() == [("Sing", None, 350), (None, "Yes", 350)]
