"""A regex that passes the size limit compiles in DuckDB."""

from __future__ import annotations

import duckdb
import pytest

from fictdsl.semantics.lower_attributes import MAX_SIZE, size
from fictdsl.sql.regex import part_pattern, pattern
from fictdsl.syntax.regex import RegexProblem, parse_regex

CLASSES = [".", "a", r"\p{L}", r"\p{Lu}", r"\p{Ll}", r"\p{N}", r"\p{P}", r"[^\p{L}]", r"[\p{L}\p{N}]", "[^a-cx]", "日"]


@pytest.mark.parametrize("part", CLASSES)
def test_the_largest_that_pass_compile(part: str) -> None:
    for outer in range(100, 0, -1):
        regex = parse_regex(f"({part}{{10}}){{{outer}}}", 0)
        assert not isinstance(regex, RegexProblem)
        if size(regex) <= MAX_SIZE:
            break
    else:
        pytest.fail("not even one passes")
    with duckdb.connect() as connection:
        for written in (pattern(regex, ignore_case=True), part_pattern(regex, ignore_case=False)):
            connection.execute("SELECT regexp_matches('a', ?)", [written])
    assert outer > 10
