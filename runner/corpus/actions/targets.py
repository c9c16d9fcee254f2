"""Filters and a store into what each of their actions takes, sentence by sentence, a chunk of the store at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.sql.statement import Statement
from runner.corpus.query.matches import in_parts, named, run_select
from runner.corpus.store.opening import Store
from runner.corpus.store.schema import TABLES
from runner.errors import InputError

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Taken:
    """What an action takes in one sentence, and how many distinct targets it has there.

    `filter` and `action` are places among the filters and among its actions; `words` the ids of all words of the
    targets, ascending, empty for an action on sentences and for `count`.
    """

    filter: int
    action: int
    targets: int
    words: tuple[int, ...]


def take(store: Store, filters: Sequence[CompiledFilter]) -> Iterator[dict[int, list[Taken]]]:
    """For each chunk of the store, in order, what is taken from each of its sentences that anything is taken from."""
    statements = [compiled.statement(layout=store.layout) for compiled in filters]
    features = sorted({name for statement in statements for name in statement.features})
    tables = (*TABLES, *named(" ".join(statement.text for statement in statements)))

    def work(connection: duckdb.DuckDBPyConnection) -> dict[int, list[Taken]]:
        found: dict[int, list[Taken]] = {}
        for number, (compiled, statement) in enumerate(zip(filters, statements, strict=True)):
            _register_matches(connection, compiled, statement)
            for sid, taken in _taken(store, connection, number, compiled):
                found.setdefault(sid, []).append(taken)
        return found

    for chunk in range(store.info.chunks):
        taken: dict[int, list[Taken]] = {}
        for part in in_parts(store, features, tables, work, [chunk]):
            taken |= part
        yield taken


def _register_matches(connection: duckdb.DuckDBPyConnection, compiled: CompiledFilter, statement: Statement) -> None:
    """Make the matches the table `matches`; the sentences alone will do where no action is on words."""
    sentences = all(action.target == "sentence" for action in compiled.ir.actions)
    connection.register("matches", run_select(connection, statement.sentences if sentences else statement.text))


def _taken(
    store: Store, connection: duckdb.DuckDBPyConnection, number: int, compiled: CompiledFilter
) -> Iterator[tuple[int, Taken]]:
    for place, targets in enumerate(compiled.targets()):
        distinct = run_select(connection, targets.distinct)
        if targets.action.verb == "keep":
            distinct = _others(run_select(connection, "SELECT sid FROM sentences ORDER BY sid"), distinct)
        if targets.action.target == "sentence" or targets.action.verb == "count":
            for sid, rows in _by_sentence(distinct):
                yield sid, Taken(number, place, len(rows), ())
            continue
        words = run_select(connection, targets.words)
        ids = words.column("id").to_pylist()
        words_of = dict(_by_sentence(words))
        for sid, rows in _by_sentence(distinct):
            if sid not in words_of:  # no store that fictc wrote
                raise InputError(diagnostic("FICT742", path=store.path, reason=f"sentence {sid} lacks words"))
            own = words_of[sid]
            yield sid, Taken(number, place, len(rows), tuple(ids[own.start : own.stop]))


def _others(everything: pa.Table, matching: pa.Table) -> pa.Table:
    """The sentences that do not match: those that `keep` drops."""
    import pyarrow.compute as pc

    return everything.filter(pc.invert(pc.is_in(everything.column("sid"), value_set=matching.column("sid"))))


def _by_sentence(table: pa.Table) -> Iterator[tuple[int, range]]:
    """Which rows belong to each sentence; a table is in the order of sentences."""
    import numpy as np

    sids: np.ndarray = table.column("sid").to_numpy()
    starts = np.flatnonzero(np.diff(sids, prepend=-1)).tolist()
    for start, end in pairwise([*starts, len(sids)]):
        yield int(sids[start]), range(start, end)
