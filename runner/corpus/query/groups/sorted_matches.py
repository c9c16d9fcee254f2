"""Sort matches at random, by the words before or after them, or by an attribute of a bound word or the sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.schema import TABLES
from runner.corpus.query.groups.keys import parse_group_keys
from runner.corpus.query.groups.sql import QueryBuilder
from runner.corpus.query.groups.values import GroupKey, is_whole
from runner.corpus.query.matches import match_in, run_select
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query
from runner.errors import InputError

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from fictdsl.compiler import CompiledFilter

SIDES = ("left", "right")  # of the bound words
_CONTEXT_WORDS = 3
_RANDOM = re.compile(r"random:(\d{1,9})")


def seed_of(key: str) -> int | None:
    """Return the seed of a key such as `random:1`, or None if the key is not one of a random order."""
    found = _RANDOM.fullmatch(key)
    return int(found[1]) if found is not None else None


def sort_matches(
    store: Store, compiled: CompiledFilter, matches: pa.Table, key: str, offset: int, limit: int
) -> pa.Table:
    """Return up to `limit` matches from `offset`, sorted by a key and then in corpus order.

    `matches` are sorted by `sid`. The key is text for `parse_group_keys`, or `left` or `right`: the three words before
    the first bound word, or after the last. `random:SEED` orders them at random, always in the same way if the matches
    are the same. Raises InputError (FICT775) if the filter binds no word for these, or if a
    key is an aggregate, and the errors of `parse_group_keys`.
    """
    if (seed := seed_of(key)) is not None:
        import numpy as np

        return matches.take(np.random.default_rng(seed).permutation(matches.num_rows)[offset : offset + limit])
    builder = QueryBuilder(compiled.names)
    terms = list(_context(builder, key) if key in SIDES else _values(builder, parse_group_keys(key, compiled, store)))
    ids = [f"m{index}" for index in range(len(compiled.names))]
    end_columns = f", least({', '.join(ids)}) AS first_word, greatest({', '.join(ids)}) AS last_word" if ids else ""
    columns = ", ".join(f"f.{name}" for name in ("sid", *ids))
    query = (
        f"SELECT {columns} FROM (SELECT *{end_columns} FROM match_rows) AS f {' '.join(builder.joins)} "  # noqa: S608
        f"ORDER BY {', '.join(f'{term} NULLS FIRST' for term in terms)}, {columns} LIMIT {limit} OFFSET {offset}"
    )
    sid_range = range(matches["sid"][0].as_py(), matches["sid"][-1].as_py() + 1) if matches.num_rows else range(0)
    sids_to_read = None if builder.reads_documents else sid_range  # a document may begin before the first match
    tables = {"match_rows": matches}
    sids = matches["sid"].to_numpy()
    tables |= {table: match_in(store, extended, sids) for table, extended in builder.extended_filters.items()}

    def work(connection: duckdb.DuckDBPyConnection) -> pa.Table:
        for name, rows in tables.items():
            connection.register(name, rows)
        return run_select(connection, query, builder.parameters)

    views = (*TABLES, *sorted(builder.computed))
    return run_query(store, work, features=builder.features, sids=sids_to_read, tables=views)


def _values(builder: QueryBuilder, keys: Iterable[GroupKey]) -> Iterator[str]:
    """Yield SQL for the value of each key."""
    for key in keys:
        if key.aggregate is not None:
            hint = f"`{key.aggregate}` has one value for all matches, which does not sort them"
            raise InputError(diagnostic("FICT775", key=key.text, hint=hint))
        yield builder.number(key.value) if is_whole(key.value) else builder.key(key)


def _context(builder: QueryBuilder, side: str) -> Iterator[str]:
    """Yield SQL for the lowercase forms of the words on one side of the bound words, the nearest first."""
    if not builder.names:
        hint = f"`{side}` compares the words beside the bound words, and the filter binds none"
        raise InputError(diagnostic("FICT775", key=side, hint=hint))
    end_column, sign = ("first_word", "-") if side == "left" else ("last_word", "+")
    for distance in range(1, _CONTEXT_WORDS + 1):
        yield builder.lowercase_form(f"f.{end_column} {sign} {distance}")
