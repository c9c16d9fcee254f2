"""The steps of a plan, run one by one, keep what the statement would, and end in what it finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from fictdsl.compiler import CompiledFilter, compile_file
from fictdsl.english.steps import describe_steps
from fictdsl.semantics.lower import node_names
from fictdsl.semantics.resolve import resolve
from runner.corpus.engine import run_steps
from runner.corpus.matches import match
from runner.corpus.store import Store
from tests.support import corpora
from tests.support.reading import tree
from tests.unit.fictdsl.semantics.lower.test_lower import lowered

TREES = [
    tree("dogs NOUN 2 nsubj\nbark VERB 0 root\nat ADP 4 case\ncats NOUN 2 obl deps=2:obl:at"),
    tree("some DET 2 det\ncats NOUN 3 nsubj\nsleep VERB 0 root"),
    tree("not PART 0 root\nat ADP 1 dep\nall DET 1 dep"),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return corpora.store(tmp_path_factory.mktemp("steps"), corpora.conllu(TREES))


def lines(compiled: CompiledFilter, store: Store) -> list[str]:
    names = node_names(resolve(compiled.module), compiled.definition, compiled.value)
    found = run_steps(store, compiled.plan)
    said = describe_steps(compiled.plan, names)
    return [f"{text} -> {found.steps[number].rows}" for number, text in enumerate(said)]


def test_each_step_in_words_with_its_rows(store: Store) -> None:
    compiled = lowered("V:VERB -[nsubj]-> S  without { S -> D:DET }  either { V -[obl]-> _ } or { S < V }")
    assert lines(compiled, store)[:2] == [
        "V: words with upos VERB -> 2",
        "S: words with deprel nsubj (or a subtype) -> 2",
    ]
    assert "V, S, _1 and D together, where D depends on S -> 0" in lines(compiled, store)


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
def test_the_steps_end_in_what_the_statement_finds(text: str, store: Store) -> None:
    compiled = lowered(text)
    found = match(store, compiled)
    result = run_steps(store, compiled.plan)
    assert (result.matches.rows, result.sentences) == (found.num_rows, len(found.column("sid").unique()))
    assert len(lines(compiled, store)) == len(compiled.plan.relations)


def test_every_step_of_the_library_has_words() -> None:
    for path in sorted(Path("filters").rglob("*.fict")):
        for compiled in compile_file(path).filters:
            names = node_names(resolve(compiled.module), compiled.definition, compiled.value)
            assert set(compiled.names) <= set(names.values())
            assert all(describe_steps(compiled.plan, names))
