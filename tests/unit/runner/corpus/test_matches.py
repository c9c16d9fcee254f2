"""Matches of filters in a store: all, in ranges, near misses, and what two filters have in common."""

from __future__ import annotations

import random
from itertools import accumulate
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fictdsl.compiler import CompiledFilter, compile_text
from runner.corpus import matches, store_writer
from runner.corpus import matches as near_misses_module
from runner.corpus import matches as ranges
from runner.corpus.limits import Limits
from runner.corpus.match_groups import sort_matches
from runner.corpus.matches import compare_filters, find_near_misses, match, matching_sids
from runner.corpus.run_query import OutOfTimeError
from runner.corpus.sentence_texts import conllu_blocks, locate
from runner.corpus.store import Store
from runner.corpus.store_writer import StoreWriter
from runner.errors import InputError
from tests.support import corpora
from tests.support.reading import tree
from tests.unit.fictdsl.semantics.test_lower import lowered

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


WORDS = ["dogs", "Cats", "birds", "ants"]


@pytest.fixture
def chunked_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
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
def test_matches_of_ranges_are_those_of_the_store(
    chunked_store: Store, body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranges, "_FIRST_SIZE", 3)
    monkeypatch.setattr(ranges, "_SECOND_SIZE", 7)
    filter_, parts, searched = compiled(body), [], 0
    while searched < chunked_store.info.sentences:
        each = ranges.next_range(chunked_store.info.ends, searched, sum(part.num_rows for part in parts), 20)
        parts.append(ranges.match_range(chunked_store, filter_, each))
        searched = each.stop
    assert len(parts) > 2 and chunked_store.info.chunks > 3
    assert pa.concat_tables(parts).equals(match(chunked_store, filter_))
    assert sum(part.num_rows for part in parts) > 0


def test_sentences_of_several_chunks_are_read(chunked_store: Store) -> None:
    sids = [0, 17, 18, 39]
    assert [each.sent_id for each in locate(chunked_store, sids)] == ["s0", "s17", "s18", "s39"]
    assert ["sent_id = s17" in block for block in conllu_blocks(chunked_store, sids)] == [False, True, False, False]


def pages(chunked_store: Store, filter_: CompiledFilter, key: str) -> list[dict[str, int]]:
    table = match(chunked_store, filter_)
    found = [sort_matches(chunked_store, filter_, table, key, offset, 7) for offset in range(0, 42, 7)]
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
def test_pages_are_in_one_order(chunked_store: Store, key: str, value) -> None:
    found = [row["sid"] for row in pages(chunked_store, compiled("V -[nsubj]-> S"), key)]
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
    chunked_store = corpora.store(tmp_path, corpora.conllu(sentences))
    filter_ = compiled("N[form = cats]")
    assert sort_matches(chunked_store, filter_, match(chunked_store, filter_), key, 0, 10)["sid"].to_pylist() == [3, 1]


def test_left_context_is_compared_from_the_nearest_word(chunked_store: Store) -> None:
    found = [row["sid"] for row in pages(chunked_store, compiled("V -[obj]-> O"), "left")]
    assert found == sorted(range(40), key=lambda n: (WORDS[n % 4].lower(), n))


def test_sorting_nothing(chunked_store: Store) -> None:
    nothing = compiled('X[form = "absent"]')
    assert sort_matches(chunked_store, nothing, match(chunked_store, nothing), "left", 0, 10).num_rows == 0


@pytest.mark.parametrize(
    ("body", "key", "hint"),
    [
        ("without { X:ADJ }", "left", "`left` compares the words beside the bound words, and the filter binds none"),
        ("without { X:ADJ }", "right", "`right` compares the words beside the bound words, and the filter binds none"),
        ("V -[nsubj]-> S", "sent_id,mean(id(S))", "`mean` has one value for all matches, which does not sort them"),
    ],
)
def test_keys_that_do_not_sort_are_mistakes(chunked_store: Store, body: str, key: str, hint: str) -> None:
    with pytest.raises(InputError, match="FICT775") as caught:
        sort_matches(chunked_store, compiled(body), match(chunked_store, compiled(body)), key, 0, 10)
    assert caught.value.diagnostics[0].hint == hint


def test_unknown_keys_are_mistakes(chunked_store: Store) -> None:
    filter_ = compiled("V -[nsubj]-> S")
    with pytest.raises(InputError, match="FICT776"):
        sort_matches(chunked_store, filter_, match(chunked_store, filter_), "form(X)", 0, 10)


def test_what_each_filter_has_alone(tmp_path: Path) -> None:
    trees = [tree("a X 0 root\na X 1 dep"), tree("b X 0 root"), tree("a X 0 root\nb X 1 dep"), tree("c X 0 root")]
    store = corpora.store(tmp_path, corpora.conllu(trees))
    found = compare_filters(store, lowered("A[form = a]"), lowered("B[form = b]"))
    assert (found.matches, found.sentences, found.common) == ((3, 2), (2, 2), 1)
    assert (found.gained.tolist(), found.lost.tolist()) == ([1], [0])
    same = compare_filters(store, lowered("A[form = a]"), lowered("A[form = a]"))
    assert (same.common, len(same.gained), len(same.lost)) == (2, 0, 0)


TREES = [
    tree("dogs NOUN 2 nsubj feats=Number=Plur\nbark VERB 0 root"),
    tree("cat NOUN 2 nsubj feats=Number=Sing\nbarks VERB 0 root"),
    tree("barks VERB 0 root\ndogs NOUN 1 obj feats=Number=Plur"),
    tree("they PRON 2 nsubj feats=Number=Plur\nbark VERB 0 root"),
]
FILTER = compile_text("fict 1 filter f { match { V -[nsubj]-> S:NOUN[Number = Plur] } }").filters[0]


@pytest.fixture(params=[1, 4])
def near_store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    if request.param > 1:
        monkeypatch.setattr(store_writer, "ROW_GROUP", 2)
        monkeypatch.setitem(store_writer.StoreWriter.__init__.__kwdefaults__, "chunk_words", 2)
    made = corpora.store(tmp_path, corpora.conllu(TREES))
    assert made.info.chunks == request.param
    return made


def test_each_condition(near_store: Store) -> None:
    found = {one.left_out: (one.sentences, one.sids.tolist()) for one in find_near_misses(near_store, FILTER, 9)}
    assert found == {
        "label [nsubj] in V -[nsubj]-> S": (1, [2]),
        "V -[nsubj]-> S": (1, [2]),
        "S:NOUN": (1, [3]),
        "S[Number = Plur]": (1, [1]),
    }


def test_they_are_the_difference(near_store: Store) -> None:
    own = matching_sids(near_store, [FILTER])
    for one in find_near_misses(near_store, FILTER, 9):
        beyond = np.setdiff1d(matching_sids(near_store, [one.weaker]), own)
        assert (one.sentences, one.sids.tolist()) == (len(beyond), beyond.tolist())


def test_only_so_many_are_fetched(near_store: Store) -> None:
    everything = compile_text("fict 1 filter f { match { X  X[form = absent] } }").filters[0]
    (one,) = find_near_misses(near_store, everything, 3)
    assert (one.sentences, one.sids.tolist()) == (4, [0, 1, 2])


def test_what_takes_too_long_is_not_counted(near_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The weaker filters, not the filter itself, take for ever."""
    endless = "SELECT count(*) AS sid FROM range(1000000000) AS a, range(1000000000) AS b"
    honest = near_misses_module.run_select

    def select(connection, text):
        return honest(connection, endless if "excluded" in text else text)

    monkeypatch.setattr(near_misses_module, "run_select", select)
    limited = Store.open(near_store.path, Limits(timeout=0.3))
    assert {one.sentences for one in find_near_misses(limited, FILTER, 9)} == {None}
