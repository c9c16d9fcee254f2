"""A small part of the matrix of ways to ask a corpus; `python -m tests.properties.matrix` is the whole of it."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pytest

from fictdsl.compiler import CompiledFilter, compile_text
from fictdsl.installation import shipped
from fictdsl.reference.sentences import Sentence, read
from runner.corpus.filter_arguments import load_filters
from runner.corpus.limits import Limits
from runner.corpus.store import Store
from tests.support import corpora
from tests.support.arranged import arrangements, raw_columns
from tests.support.spark import generated_filters, without_empty_nodes
from tests.support.strategies.rng import Rng
from tests.support.strategies.sentences import make_sentence
from tests.support.ways import Way, by_the_reference, compare, in_store, in_tables, sentence_order

EXAMPLES = shipped("filters") / "fict15" / "examples"


@pytest.fixture(scope="module")
def bank() -> list[Sentence]:
    drawn = [without_empty_nodes(make_sentence(Rng.seeded(5_000_000 + number))) for number in range(60)]
    return read(corpora.conllu(drawn))  # as a file says it: who has no document belongs to the one before


@pytest.fixture(scope="module")
def trees(bank: list[Sentence], tmp_path_factory: pytest.TempPathFactory) -> Store:
    return corpora.store(tmp_path_factory.mktemp("matrix"), corpora.conllu(bank))


@pytest.fixture(scope="module")
def generated() -> list[CompiledFilter]:
    return generated_filters(20, seed=3)


def features(filters: list[CompiledFilter]) -> list[str]:
    return sorted({feature for each in filters for feature in each.statement().features})


@pytest.mark.long
def test_layouts_and_the_reference(trees: Store, bank: list[Sentence], generated: list[CompiledFilter]) -> None:
    tables = sentence_order(trees, features(generated))
    for number, way in enumerate(arrangements(tables, random.Random(1), 1)):
        if number % 6 == 5:
            told = compare(way, generated, by_the_reference(bank))
            assert told.differences == []
            assert told.matching > 5


def test_what_the_store_alone_knows(trees: Store, bank: list[Sentence]) -> None:
    """Documents, that the file says before their first sentence, and lengths, computed when they are asked for."""
    clauses = ("A sentence[doc = d1]", "A sentence[doc != d1]", "A[form.length = 2]", "A[lemma.length = 3]")
    filters = [compile_text(f"fict 1 filter f {{ match {{ {clause} }} }}").filters[0] for clause in clauses]
    for way in (in_tables("in memory", sentence_order(trees, [])), in_store("store", trees)):
        told = compare(way, filters, by_the_reference(bank))
        assert told.differences == []
        assert told.matching == len(filters)


def test_the_columns_of_conllu_alone(trees: Store, bank: list[Sentence], generated: list[CompiledFilter]) -> None:
    for way in raw_columns([trees.path.parent / "corpus.conllu"]):
        told = compare(way, generated, by_the_reference(bank))
        assert told.differences == []
        assert told.matching > 3


def test_layouts_and_the_plain_plan(tmp_path: Path) -> None:
    """The filters that are shipped, on the sentences that come with them."""
    filters = load_filters([str(shipped("filters") / "fict15")])
    store = corpora.store(tmp_path, b"".join(file.read_bytes() for file in sorted(EXAMPLES.glob("*.conllu"))))
    plain = in_tables("plain", sentence_order(store, features(filters))).ask
    for number, way in enumerate(arrangements(sentence_order(store, features(filters)), random.Random(2), 1)):
        if number % 4 == 1:
            told = compare(way, filters, plain)
            assert told.differences == []
            assert told.matching == len(filters)


def test_a_store_in_little_memory(trees: Store, bank: list[Sentence], generated: list[CompiledFilter]) -> None:
    """DuckDB reserves some 256 KiB for each common table expression, so a filter of hundreds needs more than this."""
    usual = [each for each in generated if each.statement().text.count(" AS MATERIALIZED ") < 100]
    assert len(usual) >= len(generated) - 1
    for threads in (1, 2):
        way = in_store("store", Store.open(trees.path, Limits(64 << 20, threads)))
        assert compare(way, usual, by_the_reference(bank)).differences == []


def test_differences_are_told(bank: list[Sentence], generated: list[CompiledFilter]) -> None:
    """A way that loses a row, has one twice, has another order, or fails is found out."""
    right = by_the_reference(bank)
    each = next(one for one in generated if right(one).num_rows > 2)

    def fails(_: CompiledFilter) -> pa.Table:
        raise ValueError("no answer")

    wrong = {
        "rows, found": lambda one: right(one).slice(1),
        "some of them twice": lambda one: pa.concat_tables([right(one), right(one).slice(1)]),
        "in another order": lambda one: right(one).take(list(reversed(range(right(one).num_rows)))),
        "no answer": fails,
    }
    for said, ask in wrong.items():
        (difference,) = compare(Way("wrong", ask), [each], right).differences
        assert said in difference
