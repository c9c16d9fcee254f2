"""Overlap of a corpus with a benchmark: shared sentences, and n-grams of words and of characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from runner.corpus.matches import run_in_parts
from runner.corpus.run_query import run_query
from runner.corpus.statistics import Groups
from runner.corpus.store import Store

if TYPE_CHECKING:
    import duckdb


# A word is a run of letters, combining marks and digits, which may contain apostrophes. Any other character except
# white space is a word by itself. The classes are written out because DuckDB's `\w` matches only ASCII.
_WORDS = r"regexp_extract_all(text, '[\p{L}\p{M}\p{N}]+(?:[''’][\p{L}\p{M}\p{N}]+)*|[^\s\p{L}\p{M}\p{N}]')"
_FOLD = "trim(regexp_replace(lower(text), '\\s+', ' ', 'g'))"


@dataclass(frozen=True, slots=True)
class SharedNgrams:
    """The overlap of a benchmark with each sub-corpus in n-grams of one kind (words or characters).

    `distinct` is the number of distinct n-grams in the benchmark, and `with_ngrams` the number of its sentences with at
    least one n-gram. For each sub-corpus, `found` has the number of distinct n-grams that occur in it,
    `sentences_with_some` the number of sentences with at least one of these n-grams, and `sentences_with_all` the
    number of sentences whose n-grams all occur in it.
    """

    kind: str
    n: int
    distinct: int
    with_ngrams: int
    found: tuple[int, ...]
    sentences_with_some: tuple[int, ...]
    sentences_with_all: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Overlap:
    groups: Groups
    sentences: int
    exact: tuple[tuple[str, ...], ...]
    folded: tuple[tuple[str, ...], ...]
    shared: tuple[SharedNgrams, ...] = field(default=())


def overlap(store: Store, groups: Groups, benchmark: Sequence[str], words: int = 5, characters: int = 20) -> Overlap:
    """Compare the distinct sentences of a benchmark with the texts of a store, in NFC.

    N-grams of `words` words and of `characters` characters (0: none) do not cross sentences and ignore case.
    """
    store.require_text()
    sentences = list(dict.fromkeys(benchmark))
    ngram_kinds = [(kind, n) for kind, n in (("words", words), ("characters", characters)) if n]
    matches: dict[str, set[tuple[int, object]]] = {}

    def work(connection: duckdb.DuckDBPyConnection) -> dict[str, set[tuple[int, object]]]:
        _prepare(connection, groups, sentences, ngram_kinds)
        queries = {"exact": _EXACT, "folded": _FOLDED}
        for kind, n in ngram_kinds:
            grams = _ngram_query(kind, "grp", _TEXTS, n)
            queries[kind] = f"SELECT DISTINCT grp, number FROM ({grams}) JOIN {kind}_numbers USING (gram)"  # noqa: S608
        return {name: set(connection.execute(query).fetchall()) for name, query in queries.items()}

    for part in run_in_parts(store, (), ["sentences"], work):
        for name, rows in part.items():
            matches.setdefault(name, set()).update(rows)
    exact, folded = (_sentences_by_group(matches[name], sentences, len(groups.names)) for name in ("exact", "folded"))

    def count(connection: duckdb.DuckDBPyConnection) -> tuple[SharedNgrams, ...]:
        _prepare(connection, groups, sentences, ngram_kinds)
        return tuple(_count_shared(connection, kind, n, matches[kind], len(groups.names)) for kind, n in ngram_kinds)

    shared = run_query(store, count, tables=())
    return Overlap(groups, len(sentences), exact, folded, shared)


def _ngram_query(kind: str, id_column: str, table: str, n: int) -> str:
    if kind == "characters":
        gram, length = f"substring(units, i, {n})", "length(units)"
        units = f"SELECT {id_column}, {_FOLD} AS units FROM {table}"  # noqa: S608
    else:
        gram, length = f"array_to_string(list_slice(units, i, i + {n} - 1), ' ')", "len(units)"
        texts = f"SELECT {id_column}, lower(text) AS text FROM {table}"  # noqa: S608
        units = f"SELECT {id_column}, {_WORDS} AS units FROM ({texts})"  # noqa: S608
    starts = f"SELECT {id_column}, units, unnest(range(1, {length} - {n} + 2)) AS i FROM ({units})"  # noqa: S608
    return f"SELECT {id_column}, {gram} AS gram FROM ({starts})"  # noqa: S608


_TEXTS = "(SELECT grp, nfc_normalize(coalesce(surface, text)) AS text FROM sentences JOIN grouped USING (sid))"
_EXACT = f"SELECT DISTINCT grp, item FROM {_TEXTS} JOIN benchmark USING (text)"  # noqa: S608
_FOLDED = f"""SELECT DISTINCT grp, item FROM (SELECT grp, {_FOLD} AS same FROM {_TEXTS})
    JOIN (SELECT item, {_FOLD} AS same FROM benchmark) USING (same)"""  # noqa: S608


def _prepare(
    connection: duckdb.DuckDBPyConnection,
    groups: Groups,
    sentences: Sequence[str],
    ngram_kinds: Sequence[tuple[str, int]],
) -> None:
    import pyarrow as pa

    connection.register("grouped", groups.rows)
    benchmark = pa.table(
        {"item": pa.array(range(len(sentences)), pa.int32()), "text": pa.array(sentences, pa.string())}
    )
    connection.register("given", benchmark)
    connection.execute("CREATE OR REPLACE TEMP TABLE benchmark AS SELECT item, nfc_normalize(text) AS text FROM given")
    for kind, n in ngram_kinds:
        grams = _ngram_query(kind, "item", "benchmark", n)
        connection.execute(f"CREATE OR REPLACE TEMP TABLE {kind} AS SELECT DISTINCT item, gram FROM ({grams})")  # noqa: S608
        connection.execute(
            f"""CREATE OR REPLACE TEMP TABLE {kind}_numbers AS SELECT gram, (row_number() OVER (ORDER BY gram))::INTEGER
                AS number FROM (SELECT DISTINCT gram FROM {kind})"""  # noqa: S608
        )


def _sentences_by_group(
    rows: set[tuple[int, object]], sentences: Sequence[str], group_count: int
) -> tuple[tuple[str, ...], ...]:
    indices: list[list[int]] = [[] for _ in range(group_count)]
    for group, index in rows:
        indices[group].append(int(str(index)))
    return tuple(tuple(sentences[index] for index in sorted(group_indices)) for group_indices in indices)


def _count_shared(
    connection: duckdb.DuckDBPyConnection, kind: str, n: int, shared: set[tuple[int, object]], group_count: int
) -> SharedNgrams:
    import pyarrow as pa

    sorted_pairs = sorted(shared)
    numbers = pa.array([number for _, number in sorted_pairs], pa.int32())
    groups = [group for group, _ in sorted_pairs]
    rows = pa.table({"grp": pa.array(groups, pa.int32()), "number": numbers})
    connection.register("shared_ngrams", rows)
    (distinct,) = connection.execute(f"SELECT count(*) FROM {kind}_numbers").fetchall()[0]  # noqa: S608
    (with_ngrams,) = connection.execute(f"SELECT count(DISTINCT item) FROM {kind}").fetchall()[0]  # noqa: S608
    sums = connection.execute(
        f"""WITH occurring AS (SELECT grp, item, count(*) AS found FROM {kind} JOIN {kind}_numbers USING (gram)
                JOIN shared_ngrams USING (number) GROUP BY grp, item),
            totals AS (SELECT item, count(*) AS total FROM {kind} GROUP BY item)
        SELECT grp, count(*), count(*) FILTER (found = total) FROM occurring JOIN totals USING (item) GROUP BY grp"""  # noqa: S608
    ).fetchall()
    with_some, with_all = [0] * group_count, [0] * group_count
    for group, some, all_ in sums:
        with_some[group], with_all[group] = some, all_
    counts = tuple(map(groups.count, range(group_count)))
    return SharedNgrams(kind, n, distinct, with_ngrams, counts, tuple(with_some), tuple(with_all))
