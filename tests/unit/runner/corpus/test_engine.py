"""Counting on any engine: tallies, shared tables of several filters, and the rows of the steps of a plan."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import duckdb
import pytest

from fictdsl.compiler import CompiledFilter, compile_file, compile_text
from fictdsl.english.steps import describe_steps
from fictdsl.reference.sentences import read
from fictdsl.semantics.lower import node_names
from fictdsl.semantics.resolve import resolve
from runner.corpus import engine, store_writer
from runner.corpus.engine import Engine, LocalEngine, run_steps, share_ctes
from runner.corpus.filter_arguments import load_filters
from runner.corpus.matches import match
from runner.corpus.store import Store
from tests.support import corpora
from tests.support.reading import tree
from tests.support.strategies.rng import Rng
from tests.support.strategies.sentences import make_sentence
from tests.support.tables import connect
from tests.unit.fictdsl.semantics.test_lower import lowered

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
        if query == engine._PAIRS:
            (sentences,) = self.connection.execute("SELECT count(DISTINCT sid) FROM match_counts").fetchone() or (0,)
            if sentences > 1:
                raise duckdb.OutOfMemoryException("full")
        return self.connection.execute(query)


def test_parts_that_run_out_of_memory_are_counted_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, honest = LocalEngine(store).tally(FILTERS), engine.run_statements
    parts = []

    def run_statements(store: Store, statements: Any, work: Any, **options: Any) -> Any:
        parts.extend(honest(store, statements, lambda connection: work(_SmallMemory(connection)), **options))
        return parts

    monkeypatch.setattr(engine, "run_statements", run_statements)
    assert LocalEngine(store).tally(FILTERS) == whole
    assert len(parts) > 1


def test_filters_named_like_columns_of_sentences(store: Store) -> None:
    (table, *_) = LocalEngine(store).by_sentence(FILTERS, ["number", "source", "n", "v"])
    assert table.column_names == ["source", "number", "sent_id", "number::matches", "source::matches", "n", "v"]


def test_what_is_shared_is_there_once() -> None:
    names = [f"npi-{name}" for name in ("only", "sent-neg", "sim-ques")]
    filters = [load_filters([f"fict15/{name}"])[0] for name in names]
    tables, texts = share_ctes([one.statement() for one in filters])
    assert len(tables) == 1
    (name,) = tables
    assert all(text.count(f'"{name}"') == 1 for text in texts)
    assert all(len(text) < len(one.statement().text) / 2 for text, one in zip(texts, filters, strict=True))


def test_statements_with_nothing_in_common_stay_as_they_are() -> None:
    filters = [load_filters([f"fict15/{name}"])[0] for name in ("passive", "agr-rel-cl", "npi-only")]
    tables, texts = share_ctes([one.statement() for one in filters])
    assert not tables
    assert texts == [one.statement().text for one in filters]


def test_counts_are_those_of_each_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    rng = Rng.seeded(3)
    drawn = [make_sentence(rng) for _ in range(120)]
    sentences = [replace(each, words=tuple(replace(word, deps=()) for word in each.words)) for each in drawn]
    store = corpora.store(tmp_path, corpora.conllu(sentences))
    filters = [
        compile_text(f"fict 1 filter f{n} {{ match {{ {clauses} }} }}").filters[0]
        for n, clauses in enumerate(
            (
                "A:NOUN  B:VERB  A << B",
                "A:NOUN  C:ADJ  C << A",
                "A:NOUN  B:VERB  A << B  without { A -> X }",
                "A:VERB  B:NOUN  B << A",
                "A:NOUN",
                "A:VERB  without { A -> X:NOUN }",
            )
        )
    ]
    assert share_ctes([one.statement(layout=store.layout) for one in filters])[0]
    found = LocalEngine(store).tally(filters)
    for place, one in enumerate(filters):
        table = match(store, one)
        assert found.matches[place] == table.num_rows
        assert found.sentences[place] == len(table["sid"].unique())
    assert found.matches.total() > 0


def test_a_word_like_the_name_of_a_part_is_none() -> None:
    forms = ("r0", "r1", '"r0"', '"r1"', '" AS MATERIALIZED (')
    lines = [f"{n}\t{form}\t_\tX\t_\t_\t{n - 1}\t{'dep' if n > 1 else 'root'}\t_\t_" for n, form in enumerate(forms, 1)]
    quoted = [form.replace('"', '\\"') for form in forms]
    tests = [f'A[form = "{form}"]  B:X  A << B  without {{ B -> C[form = "{form}"] }}' for form in quoted]
    tests += [f"Z[form != a]  {test}" for test in tests]  # the same parts under other names
    filters = [compile_text(f"fict 1 filter f {{ match {{ {test} }} }}").filters[0] for test in tests]
    statements = [each.statement() for each in filters]
    tables, texts = share_ctes(statements)
    assert tables
    with connect(read("\n".join(lines) + "\n\n")) as connection:
        for name, body in tables.items():
            connection.execute(f'CREATE TABLE "{name}" AS {body}')
        found = [connection.execute(text).fetchall() for text in texts]
        assert found == [connection.execute(each.text).fetchall() for each in statements]
        assert any(found)


def test_equal_ctes_have_equal_keys_under_other_names() -> None:
    one, other = (
        compile_text(f"fict 1 filter f {{ match {{ {clauses} }} }}").filters[0].statement()
        for clauses in ("A:NOUN  B:VERB  A << B", "A:NOUN  B:VERB  A << B  without { A -> C:ADJ }")
    )
    assert {cte.key for cte in one.ctes if cte.materialized} <= {cte.key for cte in other.ctes}


STEP_TREES = [
    tree("dogs NOUN 2 nsubj\nbark VERB 0 root\nat ADP 4 case\ncats NOUN 2 obl deps=2:obl:at"),
    tree("some DET 2 det\ncats NOUN 3 nsubj\nsleep VERB 0 root"),
    tree("not PART 0 root\nat ADP 1 dep\nall DET 1 dep"),
]


@pytest.fixture(scope="module")
def tree_store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return corpora.store(tmp_path_factory.mktemp("steps"), corpora.conllu(STEP_TREES))


def lines(compiled: CompiledFilter, tree_store: Store) -> list[str]:
    names = node_names(resolve(compiled.module), compiled.definition, compiled.value)
    found = run_steps(tree_store, compiled.plan)
    said = describe_steps(compiled.plan, names)
    return [f"{text} -> {found.steps[number].rows}" for number, text in enumerate(said)]


def test_each_step_in_words_with_its_rows(tree_store: Store) -> None:
    compiled = lowered("V:VERB -[nsubj]-> S  without { S -> D:DET }  either { V -[obl]-> _ } or { S < V }")
    assert lines(compiled, tree_store)[:2] == [
        "V: words with upos VERB -> 2",
        "S: words with deprel nsubj (or a subtype) -> 2",
    ]
    assert "V, S, _1 and D together, where D depends on S -> 0" in lines(compiled, tree_store)


@pytest.mark.parametrize(
    "text",
    [
        "A:NOUN",
        "A ->> B  A.upos != B.upos  A.id < B.id  A.form.length >= B.form.length",
        'N[lower(phrase) = "at all"]',
        "A =[obl]=> B  M between A and B",
        "V at least 1 X { V -> X }  exactly 0 Y { Y:PUNCT }  at most 2 Z { Z ~ V }",
        "sentence[length > 3, not has meta.x]  _[form = /d.*/, has lemma, Number != Sing, id <= 5]",
        "A -[^case]->>{1..2} B <<{1..2} C  without { C -> _ }",
        "A ->>{0..} B[lower(form) in {dogs, cats, a, b, c, d}]",
    ],
)
def test_the_steps_end_in_what_the_statement_finds(text: str, tree_store: Store) -> None:
    compiled = lowered(text)
    found = match(tree_store, compiled)
    result = run_steps(tree_store, compiled.plan)
    assert (result.matches.rows, result.sentences) == (found.num_rows, len(found.column("sid").unique()))
    assert len(lines(compiled, tree_store)) == len(compiled.plan.relations)


def test_every_step_of_the_library_has_words() -> None:
    for path in sorted(Path("filters").rglob("*.fict")):
        for compiled in compile_file(path).filters:
            names = node_names(resolve(compiled.module), compiled.definition, compiled.value)
            assert set(compiled.names) <= set(names.values())
            assert all(describe_steps(compiled.plan, names))
