"""Filters and a store into what each of their actions takes, sentence by sentence, a chunk of the store at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from fictdsl.compiler import CompiledFilter
from runner.corpus.apply import ask
from runner.corpus.store import Store

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
    features = sorted({name for each in filters for name in each.statement(layout=store.layout).features})
    for chunk in range(store.info.chunks):
        found: dict[int, list[Taken]] = {}
        with store.connect(features, chunks=[chunk]) as connection:
            for number, compiled in enumerate(filters):
                for sid, taken in _taken(store, connection, number, compiled):
                    found.setdefault(sid, []).append(taken)
        yield found


def _register_matches(store: Store, connection: duckdb.DuckDBPyConnection, compiled: CompiledFilter) -> None:
    """Make the matches the table `matches`; the sentences alone will do where no action is on words."""
    sentences = all(action.target == "sentence" for action in compiled.ir.actions)
    statement = compiled.statement(layout=store.layout)
    connection.register("matches", ask(store, connection, statement.sentences if sentences else statement.text))


def _taken(
    store: Store, connection: duckdb.DuckDBPyConnection, number: int, compiled: CompiledFilter
) -> Iterator[tuple[int, Taken]]:
    _register_matches(store, connection, compiled)
    for place, targets in enumerate(compiled.targets()):
        distinct = ask(store, connection, targets.distinct)
        if targets.action.verb == "keep":
            distinct = _others(ask(store, connection, "SELECT sid FROM sentences ORDER BY sid"), distinct)
        if targets.action.target == "sentence" or targets.action.verb == "count":
            for sid, rows in _by_sentence(distinct):
                yield sid, Taken(number, place, len(rows), ())
            continue
        words = ask(store, connection, targets.words)
        ids = words.column("id").to_pylist()
        for (sid, rows), (_, own) in zip(_by_sentence(distinct), _by_sentence(words), strict=True):
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
