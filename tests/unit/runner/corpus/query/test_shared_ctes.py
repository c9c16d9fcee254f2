"""Statements that share tables find what they find alone, and what they share is computed once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fictdsl.compiler import compile_text
from fictdsl.reference.sentences import read
from runner.corpus.engine import share_ctes, tally
from runner.corpus.filter_arguments import load_filters
from runner.corpus.matches import match
from tests.support import corpora
from tests.support.strategies.rng import Rng
from tests.support.strategies.sentences import make_sentence
from tests.support.tables import connect


def test_what_is_shared_is_there_once() -> None:
    names = [f"npi-{name}" for name in ("only", "sent-neg", "sim-ques")]
    filters = [load_filters([f"fict15/{name}"])[0] for name in names]
    shared = share_ctes([one.statement() for one in filters])
    assert len(shared.tables) == 1
    (name,) = shared.tables
    assert all(text.count(f'"{name}"') == 1 for text in shared.texts)
    assert all(len(text) < len(one.statement().text) / 2 for text, one in zip(shared.texts, filters, strict=True))


def test_statements_with_nothing_in_common_stay_as_they_are() -> None:
    filters = [load_filters([f"fict15/{name}"])[0] for name in ("passive", "agr-rel-cl", "npi-only")]
    shared = share_ctes([one.statement() for one in filters])
    assert not shared.tables
    assert list(shared.texts) == [one.statement().text for one in filters]


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
    statements = [one.statement(layout=store.layout) for one in filters]
    assert share_ctes(statements).tables
    found = tally(store, statements)
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
    shared = share_ctes(statements)
    assert shared.tables
    with connect(read("\n".join(lines) + "\n\n")) as connection:
        for name, body in shared.tables.items():
            connection.execute(f'CREATE TABLE "{name}" AS {body}')
        found = [connection.execute(text).fetchall() for text in shared.texts]
        assert found == [connection.execute(each.text).fetchall() for each in statements]
        assert any(found)


def test_equal_ctes_have_equal_keys_under_other_names() -> None:
    one, other = (
        compile_text(f"fict 1 filter f {{ match {{ {clauses} }} }}").filters[0].statement()
        for clauses in ("A:NOUN  B:VERB  A << B", "A:NOUN  B:VERB  A << B  without { A -> C:ADJ }")
    )
    assert {cte.key for cte in one.ctes if cte.materialized} <= {cte.key for cte in other.ctes}
