"""Query one corpus in many ways, and check that each returns the same matches in the same order."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyarrow as pa

from fictdsl.compiler import CompiledFilter
from fictdsl.reference.sentences import Sentence
from fictdsl.schema import COMPUTED, COMPUTED_NUMBERS, FEATURE_PREFIX, PLAIN, TABLES, Layout, identifier
from runner.corpus.engine import LocalEngine
from runner.corpus.store import Store
from runner.corpus.store_tables import SCHEMAS
from tests.support.engines import reference_matches

if TYPE_CHECKING:
    import duckdb

_TABLES = {
    "tokens": "sid, id",
    "sentences": "sid",
    "misc": "sid, id, key, value",
    "meta": "sid, key, value",
    "enhanced": "sid, dep, head, label",
}
Rows = pa.Table  # sid, m0, m1, …: int64, NULL where a name is not bound
SECONDS, ROWS = 10.0, 200_000  # limits of a generated filter on a treebank


@dataclass(frozen=True)
class Way:
    """A way to query a corpus: its name, its results, and the filters that it supports."""

    name: str
    ask: Callable[[CompiledFilter], Rows]
    can: Callable[[CompiledFilter], bool] = lambda _: True


@dataclass
class Told:
    """The number of queries in one way, and their differences."""

    answers: int = 0
    matching: int = 0
    rows: int = 0
    differences: list[str] = field(default_factory=list)


def compare(way: Way, filters: Iterable[CompiledFilter], expected: Callable[[CompiledFilter], Rows]) -> Told:
    """Query every filter in one way; an error counts as a difference."""
    result = Told()
    for each in filter(way.can, filters):
        right = expected(each)
        result.answers += 1
        result.matching += bool(right.num_rows)
        result.rows += right.num_rows
        try:
            answer = way.ask(each)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong is a difference
            result.differences.append(
                f"{way.name}: {each.path} {each.name}: {type(error).__name__}: {str(error)[:600]}"
            )
            continue
        if not answer.equals(right):
            result.differences.append(f"{way.name}: {each.path} {each.name}: {_difference(answer, right)}")
    return result


def _difference(answer: Rows, right: Rows) -> str:
    one, other = (list(zip(*table.to_pydict().values(), strict=True)) for table in (right, answer))
    lost, more = sorted(set(one) - set(other), key=str)[:3], sorted(set(other) - set(one), key=str)[:3]
    if not lost and not more:
        return f"the same {len(one)} rows in another order, or some of them twice ({len(other)})"
    return f"{len(one)} rows, found {len(other)}; lost {lost}, too many {more}"


def rows(tables: Sequence[pa.Table]) -> Rows:
    """Concatenate tables of `sid, m0, …` into one table with one type."""
    schema = pa.schema([(name, pa.int64()) for name in tables[0].schema.names])
    return pa.concat_tables([table.cast(schema) for table in tables]).combine_chunks()


def by_the_reference(bank: Sequence[Sentence]) -> Callable[[CompiledFilter], Rows]:
    """Return the matches of the reference interpreter in sentences numbered from 0."""

    def answer(each: CompiledFilter) -> Rows:
        bindings: list[tuple[int | None, ...]] = []
        for sid, matches in reference_matches(each, bank).items():
            bound = [tuple(dict(match).get(name) for name in each.names) for match in matches]
            bindings += [(sid, *words) for words in bound]
        bindings.sort(key=lambda row: [-1 if value is None else value for value in row])
        names = ["sid", *(f"m{number}" for number in range(len(each.names)))]
        columns = list(zip(*bindings, strict=True)) or [()] * len(names)
        return pa.table({n: pa.array(list(c), pa.int64()) for n, c in zip(names, columns, strict=True)})

    return answer


def within(
    connection: duckdb.DuckDBPyConnection, seconds: float, rows_at_most: int
) -> Callable[[CompiledFilter], Rows]:
    """Return a function that runs the plain plan in memory, and raises TooMuchError beyond these limits."""
    import duckdb

    connection.execute("SET memory_limit = '1GB'; SET max_temp_directory_size = '0GB'")
    ask = in_tables("plain", connection).ask

    def answer(each: CompiledFilter) -> Rows:
        timer = threading.Timer(seconds, connection.interrupt)
        timer.start()
        try:
            answer = ask(each)
        except (duckdb.InterruptException, duckdb.OutOfMemoryException) as error:
            raise TooMuchError from error
        finally:
            timer.cancel()
        if answer.num_rows > rows_at_most:
            raise TooMuchError
        return answer

    return answer


class TooMuchError(Exception):
    """A filter finds more, or takes longer, than a comparison can afford."""


def affordable(
    filters: Iterable[CompiledFilter], ask: Callable[[CompiledFilter], Rows], number: int
) -> tuple[list[CompiledFilter], int]:
    """Return the first `number` filters that are affordable, and the number of skipped ones."""
    kept: list[CompiledFilter] = []
    skipped = 0
    for each in filters:
        if len(kept) == number:
            break
        try:
            ask(each)
            kept.append(each)
        except TooMuchError:
            skipped += 1
    return kept, skipped


def remembered(answer: Callable[[CompiledFilter], Rows]) -> Callable[[CompiledFilter], Rows]:
    """Cache the results of a way."""
    known: dict[int, Rows] = {}

    def again(each: CompiledFilter) -> Rows:
        if id(each) not in known:
            known[id(each)] = answer(each)
        return known[id(each)]

    return again


def sentence_order(store: Store, features: Sequence[str]) -> duckdb.DuckDBPyConnection:
    """Load the tables of a store into memory, with rows in corpus order and these features' columns."""
    import duckdb

    memory = duckdb.connect(config={"threads": 1})
    with store.connect(features, tables=(*TABLES, *COMPUTED)) as connection:
        for table, order in (_TABLES | dict.fromkeys(COMPUTED, "sid, id")).items():
            names = ["sid", "id", "value"] if table in COMPUTED else [*SCHEMAS[table].names]
            if table == "tokens":
                names += [*COMPUTED_NUMBERS, *(identifier(FEATURE_PREFIX + name) for name in features)]
            chosen = ", ".join(f'"{name}"' for name in names)
            table_rows = connection.sql(f"SELECT {chosen} FROM {table} ORDER BY {order}").to_arrow_table()
            memory.register("held", table_rows)
            memory.execute(f"CREATE TABLE {table} AS SELECT * FROM held")
            memory.unregister("held")
    return memory


def in_tables(name: str, connection: duckdb.DuckDBPyConnection, layout: Layout = PLAIN) -> Way:
    """Return the plan for a layout, on tables in memory that have it."""
    return Way(name, lambda each: rows([connection.sql(each.statement("duckdb", layout).text).to_arrow_table()]))


def in_store(name: str, store: Store) -> Way:
    """Return DuckDB in this process, a part of the store at a time, within the store's limits."""
    engine = LocalEngine(store)
    return Way(name, lambda each: rows(list(engine.matches(each))))
