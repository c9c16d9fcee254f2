"""The dialects of SQL, and the differences between them that sqlglot does not handle."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dialect:
    """A dialect, under the name that sqlglot gives it.

    `overlap` is the function that tests whether two lists share an element. If `materialized`, a CTE can be declared as
    computed once. If `nested`, a subquery may have CTEs of its own. With `any_of_list`, a value is compared with
    `= ANY` to a list, or to the rows of a long list that is written as one string. With `recursive_distinct`, a
    recursive CTE may use UNION DISTINCT. With `extraction`, extracting what a pattern matches is faster than matching.
    """

    name: str
    overlap: str
    materialized: bool = False
    nested: bool = False
    any_of_list: bool = False
    recursive_distinct: bool = False
    extraction: bool = False


_DIALECTS = (
    Dialect(
        "duckdb",
        "LIST_HAS_ANY",
        materialized=True,
        nested=True,
        any_of_list=True,
        recursive_distinct=True,
        extraction=True,
    ),
    Dialect("spark", "ARRAYS_OVERLAP"),  # sqlglot moves all CTEs to the front of a Spark statement
)
DIALECTS = {dialect.name: dialect for dialect in _DIALECTS}
