"""What a statement promises: one SELECT, generated names, the features it reads, order, another dialect."""

from __future__ import annotations

import re

import duckdb
import pytest
import sqlglot
from sqlglot import exp

from fictdsl.reference.sentences import read
from fictdsl.schema import FEATURE_PREFIX, QUERIED, identifier
from tests.cases.test_language import CASES, Case
from tests.support.engines import by_sql, database, reference_matches
from tests.support.tables import connect
from tests.unit.fictdsl.semantics.test_lower import lowered

HOSTILE = ["n't", "'s", "x') OR 1=1 OR ('a'='a", "'; DROP TABLE tokens; --", "/* x */", "\\", "$$", 'a"b', "%", "_"]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.path.stem}: {case.title}" for case in CASES])
def test_identifiers_are_generated(case: Case) -> None:
    statement = case.compiled.statement()
    known = {
        "tokens",
        "sentences",
        "misc",
        "meta",
        "enhanced",
        "sid",
        "id",
        "key",
        "value",
        "word",
        "num",
        "dep",
        "head",
    }
    known |= {"label", "form", "lemma", "upos", "xpos", "deprel", "form_l", "lemma_l", "pre", "last", "depth", "text"}
    known |= {"form_len", "lemma_len", "sent_id", "doc", "length", "run", "counted", "token", "feats"}
    known |= {identifier(FEATURE_PREFIX + feature) for feature in statement.features}
    for name in sqlglot.parse_one(statement.text, dialect="duckdb").find_all(exp.Identifier):
        assert name.this in known or re.fullmatch(r"[a-z][0-9]*|p\d+_[\da-z]+|[ne]\d+_[a-z_]+\d*", name.this), name.this


@pytest.mark.parametrize("case", CASES, ids=[f"{case.path.stem}: {case.title}" for case in CASES])
def test_the_sentences_are_those_of_the_matches(case: Case) -> None:
    statement = case.compiled.statement()
    with connect(list(case.trees.values()), statement.features) as connection:
        for table in {*QUERIED} - {*statement.tables}:
            connection.unregister(table)  # it reads no other tables
        matches = connection.execute(statement.text).fetchall()
        assert matches == sorted(matches, key=lambda row: [-1 if value is None else value for value in row])
        sentences = [sid for (sid,) in connection.execute(statement.sentences_text).fetchall()]
    assert sentences == sorted({row[0] for row in matches})


@pytest.mark.parametrize("case", CASES, ids=[f"{case.path.stem}: {case.title}" for case in CASES])
def test_spark_is_given_its_own_words(case: Case) -> None:
    text = case.compiled.statement("spark").text
    assert "MATERIALIZED" not in text
    assert '"' not in re.sub(r"'(?:[^'\\]|\\.)*'", "''", text)
    assert "list_" not in text.lower()
    sqlglot.parse_one(text, dialect="spark")


@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.parametrize(
    "test", ["form = {}", "Case = {}", "misc.{} = {}", "deprel = {}", "phrase = {}", "form in {{{}, b}}"]
)
def test_values_stay_values(value: str, test: str) -> None:
    literal = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    statement = lowered(f"X[{test.replace('{}', literal)}]").statement() if "{{" not in test else None
    statement = statement or lowered(f"X[form in {{{literal}, b}}]").statement()
    with duckdb.connect() as connection:
        assert len(connection.extract_statements(statement.text)) == 1
    tree = sqlglot.parse_one(statement.text, dialect="duckdb")
    strings = {literal.this for literal in tree.find_all(exp.Literal) if literal.is_string}
    assert any(value in string for string in strings)


def test_features_are_those_it_reads() -> None:
    text = "A[Number = Sing]  A.Case = B.Case  without { C[has Number[psor]] }  either { A[not Gender = Fem] } or { B }"
    assert lowered(text).statement().features == ("Case", "Gender", "Number", "Number[psor]")


def test_a_list_of_words_is_joined_where_it_is_a_condition_of_its_own() -> None:
    one, more, either = (
        lowered(text).statement().text
        for text in ("A[form = a]", "A[form in {a, b}]", "A[form in {a, b} or lemma = e]")
    )
    assert "= 'a'" in one
    assert "= ANY(['a', 'b'])" in more
    assert "IN ('a', 'b')" in either
    assert "IN ('a', 'b')" in lowered("A[form in {a, b}]").statement("spark").text


def test_a_long_list_is_one_literal_and_finds_the_same() -> None:
    odd = ["it's", 'a"b', "\\", " ", "Ünïcode", "$$", "--", "n't", "10 000"]
    words = [*odd, "", *(f"w{number}" for number in range(2_000))]
    listed = ", ".join('"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"' for word in words)
    forms = enumerate([*odd, "other", "w7"], 1)
    rows = [
        f"{place}\t{form}\t_\tX\t_\t_\t{place - 1}\t{'dep' if place > 1 else 'root'}\t_\t_\n" for place, form in forms
    ]
    treebank = read("".join(rows) + "\n")
    for test in ("form in {%s}", "form not in {%s}", "lemma in {%s}", "form in {%s} or lemma = e"):
        compiled = lowered(f"X[{test % listed}]")
        assert by_sql(database(treebank), compiled) == reference_matches(compiled, treebank)
    assert "'w1999'" not in lowered(f"X[form in {{{listed}}}]").statement().text


def test_deep_nesting() -> None:
    depth = 60
    text = "V " + "".join(f"without {{ V[form != w{number}] " for number in range(depth)) + "}" * depth
    with connect([]) as connection:
        assert connection.execute(lowered(text).statement().text).fetchall() == []


@pytest.mark.long
def test_many_readings_with_steps_of_their_own() -> None:
    """Fewer common tables stand in sight of each other than DuckDB allows (1,000), whatever the readings need."""
    branches = " or ".join(f"{{ A -[a{number}|b]->> B -[c{number}|d]->> C }}" for number in range(120))
    compiled = lowered(f"either {branches}  either {{ A:NOUN }} or {{ B:NOUN }}")
    assert len(compiled.plan.relations) > 1000
    with connect([]) as connection:
        assert connection.execute(compiled.statement().text).fetchall() == []
