"""A corpus and the sentences of a benchmark to what both hold: sentences, and n-grams of words and of characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from runner.corpus.query.matches import in_parts
from runner.corpus.stats.groups import Groups
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query

if TYPE_CHECKING:
    import duckdb

# Letters, digits and apostrophes within a word, or one other sign: DuckDB's own classes are of ASCII alone.
_WORDS = r"regexp_extract_all(text, '[\p{L}\p{N}]+(?:[''’][\p{L}\p{N}]+)*|[^\s\p{L}\p{N}]')"
_SAME = "trim(regexp_replace(lower(text), '\\s+', ' ', 'g'))"


@dataclass(frozen=True, slots=True)
class Shared:
    """N-grams of one kind: distinct ones of the benchmark, and by sub-corpus how many of them it holds.

    `some` and `all` are the benchmark's sentences of which any, or every, n-gram is there; `long` are those that are
    long enough to have one.
    """

    kind: str
    n: int
    distinct: int
    long: int
    found: tuple[int, ...]
    some: tuple[int, ...]
    all: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Overlap:
    """`exact` and `folded` (letter case and white space aside) are the benchmark's sentences in each sub-corpus."""

    groups: Groups
    sentences: int
    exact: tuple[tuple[str, ...], ...]
    folded: tuple[tuple[str, ...], ...]
    shared: tuple[Shared, ...] = field(default=())


def overlap(store: Store, groups: Groups, benchmark: Sequence[str], words: int = 5, characters: int = 20) -> Overlap:
    """Compare the distinct sentences of a benchmark with the texts of a store; InputError without texts.

    N-grams of `words` and of `characters` (0: not asked for) do not cross sentences; both are in lower case.
    """
    store.require_text()
    sentences = list(dict.fromkeys(benchmark))
    sizes = [(kind, n) for kind, n in (("words", words), ("characters", characters)) if n]
    found: dict[str, set[tuple[int, object]]] = {}

    def work(connection: duckdb.DuckDBPyConnection) -> dict[str, set[tuple[int, object]]]:
        _prepare(connection, groups, sentences, sizes)
        queries = {"exact": _EXACT, "folded": _FOLDED, **{kind: _gram_query(kind, n) for kind, n in sizes}}
        return {name: set(connection.execute(query).fetchall()) for name, query in queries.items()}

    for part in in_parts(store, (), ["sentences"], work):
        for name, rows in part.items():
            found.setdefault(name, set()).update(rows)
    exact, folded = (_listed(found[name], sentences, len(groups.names)) for name in ("exact", "folded"))

    def count(connection: duckdb.DuckDBPyConnection) -> tuple[Shared, ...]:
        _prepare(connection, groups, sentences, sizes)
        return tuple(_shared(connection, kind, n, found[kind], len(groups.names)) for kind, n in sizes)

    shared = run_query(store, count, tables=())
    return Overlap(groups, len(sentences), exact, folded, shared)


def _grams(kind: str, keep: str, table: str, n: int) -> str:
    """A query of the n-grams of the texts of a table, with the column that is kept."""
    if kind == "characters":
        gram, length = f"substring(units, i, {n})", "length(units)"
        units = f"SELECT {keep}, {_SAME} AS units FROM {table}"  # noqa: S608
    else:
        gram, length = f"array_to_string(list_slice(units, i, i + {n} - 1), ' ')", "len(units)"
        units = f"SELECT {keep}, {_WORDS} AS units FROM (SELECT {keep}, lower(text) AS text FROM {table})"  # noqa: S608
    starts = f"SELECT {keep}, units, unnest(range(1, {length} - {n} + 2)) AS i FROM ({units})"  # noqa: S608
    return f"SELECT {keep}, {gram} AS gram FROM ({starts})"  # noqa: S608


_TEXTS = "(SELECT grp, coalesce(surface, text) AS text FROM sentences JOIN grouped USING (sid))"
_EXACT = f"SELECT DISTINCT grp, place FROM {_TEXTS} JOIN benchmark USING (text)"  # noqa: S608
_FOLDED = f"""SELECT DISTINCT grp, place FROM (SELECT grp, {_SAME} AS same FROM {_TEXTS})
    JOIN (SELECT place, {_SAME} AS same FROM benchmark) USING (same)"""  # noqa: S608


def _prepare(
    connection: duckdb.DuckDBPyConnection, groups: Groups, sentences: Sequence[str], sizes: Sequence[tuple[str, int]]
) -> None:
    """Tables of the benchmark: its sentences, and the n-grams of each with a number for each distinct one."""
    import pyarrow as pa

    connection.register("grouped", groups.rows)
    given = pa.table({"place": pa.array(range(len(sentences)), pa.int32()), "text": pa.array(sentences, pa.string())})
    connection.register("given", given)
    connection.execute("CREATE OR REPLACE TEMP TABLE benchmark AS SELECT * FROM given")
    for kind, n in sizes:
        grams = _grams(kind, "place", "benchmark", n)
        connection.execute(f"CREATE OR REPLACE TEMP TABLE {kind} AS SELECT DISTINCT place, gram FROM ({grams})")  # noqa: S608
        connection.execute(
            f"""CREATE OR REPLACE TEMP TABLE {kind}_of AS SELECT gram, (row_number() OVER (ORDER BY gram))::INTEGER
                AS number FROM (SELECT DISTINCT gram FROM {kind})"""  # noqa: S608
        )


def _gram_query(kind: str, n: int) -> str:
    grams = _grams(kind, "grp", _TEXTS, n)
    return f"SELECT DISTINCT grp, number FROM ({grams}) JOIN {kind}_of USING (gram)"  # noqa: S608


def _listed(rows: set[tuple[int, object]], sentences: Sequence[str], size: int) -> tuple[tuple[str, ...], ...]:
    places: list[list[int]] = [[] for _ in range(size)]
    for group, place in rows:
        places[group].append(int(str(place)))
    return tuple(tuple(sentences[place] for place in sorted(each)) for each in places)


def _shared(
    connection: duckdb.DuckDBPyConnection, kind: str, n: int, found: set[tuple[int, object]], size: int
) -> Shared:
    """How many n-grams, and sentences of the benchmark by them, each sub-corpus holds."""
    import pyarrow as pa

    ordered = sorted(found)
    numbers = pa.array([number for _, number in ordered], pa.int32())
    rows = pa.table({"grp": pa.array([group for group, _ in ordered], pa.int32()), "number": numbers})
    connection.register("held", rows)
    (distinct,) = connection.execute(f"SELECT count(*) FROM {kind}_of").fetchall()[0]  # noqa: S608
    (long,) = connection.execute(f"SELECT count(DISTINCT place) FROM {kind}").fetchall()[0]  # noqa: S608
    sums = connection.execute(
        f"""WITH have AS (SELECT grp, place, count(*) AS there FROM {kind} JOIN {kind}_of USING (gram)
                JOIN held USING (number) GROUP BY grp, place),
            ask AS (SELECT place, count(*) AS all_of FROM {kind} GROUP BY place)
        SELECT grp, count(*), count(*) FILTER (there = all_of) FROM have JOIN ask USING (place) GROUP BY grp"""  # noqa: S608
    ).fetchall()
    some, whole = [0] * size, [0] * size
    for group, any_of, all_of in sums:
        some[group], whole[group] = any_of, all_of
    counts = [0] * size
    for group, _ in ordered:
        counts[group] += 1
    return Shared(kind, n, distinct, long, tuple(counts), tuple(some), tuple(whole))
