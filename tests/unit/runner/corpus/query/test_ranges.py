"""Ranges cover the store once, and matches in them are those of the whole store; sorted pages are one order."""

from __future__ import annotations

import random
from itertools import accumulate
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fictdsl.compiler import CompiledFilter, compile_text
from runner.corpus import matches as ranges
from runner.corpus.match_groups import sort_matches
from runner.corpus.matches import match
from runner.corpus.sentence_texts import conllu_blocks, locate
from runner.corpus.store import Store
from runner.corpus.store_writer import StoreWriter
from runner.errors import InputError
from tests.support import corpora
from tests.support.reading import tree

WORDS = ["dogs", "Cats", "birds", "ants"]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setitem(StoreWriter.__init__.__kwdefaults__, "chunk_words", 20)
    sentences = [
        tree(f"{WORDS[n % 4]} NOUN 2 nsubj\nsee VERB 0 root\n{WORDS[n // 4 % 4]} NOUN 2 obj", f"sent_id = s{n}")
        for n in range(40)
    ]
    return corpora.store(tmp_path, corpora.conllu(sentences))


def compiled(body: str) -> CompiledFilter:
    (only,) = compile_text(f"fict 1\nfilter f {{ match {{ {body} }} }}\n").filters
    return only


@given(
    st.lists(st.integers(0, 60), min_size=1, max_size=30).map(lambda sizes: list(accumulate(sizes))),
    st.integers(0, 200),
    st.randoms(use_true_random=False),
)
def test_ranges_are_the_store_and_end_with_chunks(ends: list[int], wanted: int, rng: random.Random) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranges, "_FIRST_SIZE", 3)
        patch.setattr(ranges, "_SECOND_SIZE", 7)
        start = matches = 0
        while start < ends[-1]:
            found = ranges.next_range(ends, start, matches, wanted)
            assert found.start == start < found.stop
            crossed = [end for end in ends if start < end < found.stop]
            assert not crossed or (found.stop in ends and (start in ends or start == 0) and len(set(crossed)) < 8)
            start, matches = found.stop, matches + rng.choice((0, 0, 1, 50))
        assert start == ends[-1]


@pytest.mark.parametrize(
    ("start", "matches", "expected"),
    [
        (0, 0, 20_000),
        (20_000, 30, 120_000),  # twice as many as are missing are probable there
        (20_000, 16, 120_000),
        (20_000, 14, 300_000),  # 50 are probable in 71,000
        (20_000, 4, 300_000),
        (20_000, 0, 300_000),
        (20_000, 50, 300_000),  # the page is full
        (300_000, 0, 600_000),
        (600_000, 0, 1_200_000),
        (600_000, 45, 900_000),
        (600_000, 99, 1_200_000),
        (1_200_000, 3, 2_400_000),
        (2_400_000, 3, 4_800_000),
        (4_800_000, 3, 6_000_000),
    ],
)
def test_ranges_are_as_long_as_the_page_needs(start: int, matches: int, expected: int) -> None:
    ends = list(range(300_000, 6_000_001, 300_000))
    assert ranges.next_range(ends, start, matches, 50) == range(start, expected)


@pytest.mark.parametrize("body", ["V -[nsubj]-> S", 'S[form = "Cats"]', "X", "either { A:NOUN } or { B:VERB }"])
def test_matches_of_ranges_are_those_of_the_store(store: Store, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "_FIRST_SIZE", 3)
    monkeypatch.setattr(ranges, "_SECOND_SIZE", 7)
    filter_, parts, searched = compiled(body), [], 0
    while searched < store.info.sentences:
        each = ranges.next_range(store.info.ends, searched, sum(part.num_rows for part in parts), 20)
        parts.append(ranges.match_range(store, filter_, each))
        searched = each.stop
    assert len(parts) > 2 and store.info.chunks > 3
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


@pytest.mark.parametrize("key", ["meta::genre", "genre"])
def test_documents_have_the_metadata_of_sentences_without_a_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    sentences = [
        tree(f"{form} NOUN 0 root", *comments)
        for form, *comments in [
            ("dogs", "newdoc id = a1", "meta::genre = zeta"),
            ("cats",),
            ("dogs", "newdoc id = a2", "meta::genre = alpha"),
            ("cats",),
        ]
    ]
    store = corpora.store(tmp_path, corpora.conllu(sentences))
    filter_ = compiled("N[form = cats]")
    assert sort_matches(store, filter_, match(store, filter_), key, 0, 10)["sid"].to_pylist() == [3, 1]


def test_left_context_is_compared_from_the_nearest_word(store: Store) -> None:
    found = [row["sid"] for row in pages(store, compiled("V -[obj]-> O"), "left")]
    assert found == sorted(range(40), key=lambda n: (WORDS[n % 4].lower(), n))


def test_sorting_nothing(store: Store) -> None:
    nothing = compiled('X[form = "absent"]')
    assert sort_matches(store, nothing, match(store, nothing), "left", 0, 10).num_rows == 0


@pytest.mark.parametrize(
    ("body", "key", "hint"),
    [
        ("without { X:ADJ }", "left", "`left` compares the words beside the bound words, and the filter binds none"),
        ("without { X:ADJ }", "right", "`right` compares the words beside the bound words, and the filter binds none"),
        ("V -[nsubj]-> S", "sent_id,mean(id(S))", "`mean` has one value for all matches, which does not sort them"),
    ],
)
def test_keys_that_do_not_sort_are_mistakes(store: Store, body: str, key: str, hint: str) -> None:
    with pytest.raises(InputError, match="FICT775") as caught:
        sort_matches(store, compiled(body), match(store, compiled(body)), key, 0, 10)
    assert caught.value.diagnostics[0].hint == hint


def test_unknown_keys_are_mistakes(store: Store) -> None:
    filter_ = compiled("V -[nsubj]-> S")
    with pytest.raises(InputError, match="FICT776"):
        sort_matches(store, filter_, match(store, filter_), "form(X)", 0, 10)
