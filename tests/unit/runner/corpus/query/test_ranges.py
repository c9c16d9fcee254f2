"""Ranges cover the store once, and matches in them are those of the whole store; sorted pages are one order."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from fictdsl.compiler import CompiledFilter, compile_text
from runner.corpus.ingest.writer import StoreWriter
from runner.corpus.query import ranges
from runner.corpus.query.groups.sorted_matches import sort_matches
from runner.corpus.query.matches import match
from runner.corpus.sentences.export import conllu_blocks
from runner.corpus.sentences.lookup import locate
from runner.corpus.store.opening import Store
from runner.errors import InputError
from tests.support import corpora
from tests.support.reading import tree

WORDS = ["dogs", "Cats", "birds", "ants"]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setitem(StoreWriter.__init__.__kwdefaults__, "chunk_words", 50)
    sentences = [
        tree(f"{WORDS[n % 4]} NOUN 2 nsubj\nsee VERB 0 root\n{WORDS[n // 4 % 4]} NOUN 2 obj", f"sent_id = s{n}")
        for n in range(40)
    ]
    return corpora.store(tmp_path, corpora.conllu(sentences))


def compiled(body: str) -> CompiledFilter:
    (only,) = compile_text(f"fict 1\nfilter f {{ match {{ {body} }} }}\n").filters
    return only


def test_ranges_grow_within_chunks(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "_GROWTH", (3, 20))
    found = list(ranges.growing_ranges(store))
    assert store.info.chunks > 1
    assert found[0] == range(3) and found[1].start == 3
    assert [sid for each in found for sid in each] == list(range(40))
    assert all(len(store.chunks_with((each[0], each[-1]))) == 1 for each in found)


@pytest.mark.parametrize("body", ["V -[nsubj]-> S", 'S[form = "Cats"]', "X", "either { A:NOUN } or { B:VERB }"])
def test_matches_of_ranges_are_those_of_the_store(store: Store, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "_GROWTH", (3, 7))
    filter_ = compiled(body)
    parts = [ranges.match_range(store, filter_, each) for each in ranges.growing_ranges(store)]
    assert pa.concat_tables(parts).equals(match(store, filter_))
    assert sum(part.num_rows for part in parts) > 0


def test_sentences_of_several_chunks_are_read(store: Store) -> None:
    sids = [0, 17, 18, 39]
    assert [each.sent_id for each in locate(store, sids)] == ["s0", "s17", "s18", "s39"]
    assert ["sent_id = s17" in block for block in conllu_blocks(store, sids)] == [False, True, False, False]


def pages(store: Store, filter_: CompiledFilter, key: str) -> list[dict[str, int]]:
    table = match(store, filter_)
    found = [sort_matches(store, filter_, table, key, offset, 7) for offset in range(0, 42, 7)]
    return pa.concat_tables(found).to_pylist()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("right", lambda n: WORDS[n // 4 % 4].lower()),
        ("left", lambda n: ""),
        ("form(S)", lambda n: WORDS[n % 4]),
        ("lower(form(S))", lambda n: WORDS[n % 4].lower()),
        ("sent_id", lambda n: f"s{n}"),
    ],
)
def test_pages_are_in_one_order(store: Store, key: str, value) -> None:
    found = [row["sid"] for row in pages(store, compiled("V -[nsubj]-> S"), key)]
    assert found == sorted(range(40), key=lambda n: (value(n), n))


def test_left_context_is_compared_from_the_nearest_word(store: Store) -> None:
    found = [row["sid"] for row in pages(store, compiled("V -[obj]-> O"), "left")]
    assert found == sorted(range(40), key=lambda n: (WORDS[n % 4].lower(), n))


def test_sorting_nothing(store: Store) -> None:
    nothing = compiled('X[form = "absent"]')
    assert sort_matches(store, nothing, match(store, nothing), "left", 0, 10).num_rows == 0


def test_unknown_keys_are_mistakes(store: Store) -> None:
    filter_ = compiled("V -[nsubj]-> S")
    with pytest.raises(InputError, match="FICT776"):
        sort_matches(store, filter_, match(store, filter_), "form(X)", 0, 10)
