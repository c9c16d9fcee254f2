"""Emitted patterns match, in DuckDB, exactly what the reference's automaton accepts."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fictdsl.reference.automaton import Automaton
from fictdsl.sql.fragments import StatementBuilder
from fictdsl.sql.regex import matches_empty, part_pattern, pattern
from fictdsl.sql.statement import DIALECTS
from fictdsl.syntax.regex import Regex, RegexProblem, parse_regex

TEXTS = [
    *"kKsSaAzZ09.,-é_^$ ",
    "\u212a",  # the Kelvin sign, which Unicode folds to k
    "ſ",  # the long s, which Unicode folds to s
    *("", "aa", "ab", "a.b", "axb", "xaxb", "Abc", "a,b", "b,a", ",", ",a", "a,", "ß", "日本", "٣", "𝒳", "«", "a]b"),
]
PATTERNS = [
    *("", ".", "a", ".*", "a.b", "[a-c]+", "[^a-c]", r"\d", r"\p{L}", r"\p{Lu}", r"\p{Ll}", r"\p{N}", r"\p{P}"),
    *("[kK]|x", "(k|s)+", "[sS]|a", "(K|k)", "[^kK]", "k", "s?a*", r"[\p{P}a]", r"[^\p{P}]", r"[^\p{L}\d]"),
    *("a,b", "(a,)?b", ".+,.+", "[+--]", "[,]", "[,a]", "a{2}", "a{0}b", "(a|b){1,2}", "(a*)*", "()", "(|a)b"),
    *(r"a\.b", r"a\]b", r"[\]a-b]+", r"\^", r"[\^a]", r"\$", "[a-]", "日.", "x|ſ", "[A-Z]c?", "[a-z]{2,}"),
]


def parsed(text: str) -> Regex:
    found = parse_regex(text, 0)
    assert not isinstance(found, RegexProblem), text
    return found


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


def found(connection: duckdb.DuckDBPyConnection, regex: Regex, emitted: str) -> list[str]:
    builder = StatementBuilder(DIALECTS["duckdb"])
    condition = builder.match_condition("t", emitted, may_be_empty=matches_empty(regex))
    query = f"SELECT t FROM (SELECT unnest(?::VARCHAR[]) AS t) WHERE {condition}"
    return [text for (text,) in connection.execute(query, [TEXTS]).fetchall()]


@pytest.mark.parametrize("ignore_case", [False, True])
@pytest.mark.parametrize("text", PATTERNS)
def test_whole_values(connection: duckdb.DuckDBPyConnection, text: str, ignore_case: bool) -> None:
    regex = parsed(text)
    automaton = Automaton(regex, ignore_case=ignore_case)
    expected = [value for value in TEXTS if automaton.matches(value)]
    assert found(connection, regex, pattern(regex, ignore_case=ignore_case)) == expected


@pytest.mark.parametrize("ignore_case", [False, True])
@pytest.mark.parametrize("text", PATTERNS)
def test_one_value_of_several(connection: duckdb.DuckDBPyConnection, text: str, ignore_case: bool) -> None:
    regex = parsed(text)
    automaton = Automaton(regex, ignore_case=ignore_case)
    expected = [value for value in TEXTS if any(automaton.matches(part) for part in value.split(","))]
    assert found(connection, regex, part_pattern(regex, ignore_case=ignore_case)) == expected


@given(st.text(st.sampled_from("aAkKsS,.|()[]^-*+?{}12\\dpLP "), max_size=12), st.booleans())
def test_any_pattern_that_parses(text: str, ignore_case: bool) -> None:
    regex = parse_regex(text, 0)
    if isinstance(regex, RegexProblem):
        return
    automaton = Automaton(regex, ignore_case=ignore_case)
    with duckdb.connect() as connection:
        whole, part = pattern(regex, ignore_case=ignore_case), part_pattern(regex, ignore_case=ignore_case)
        assert found(connection, regex, whole) == [value for value in TEXTS if automaton.matches(value)]
        expected = [value for value in TEXTS if any(map(automaton.matches, value.split(",")))]
        assert found(connection, regex, part) == expected
    assert matches_empty(regex) == automaton.matches("")
