"""Find the targets of the actions of filters, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.sql.statement import Statement
from runner.corpus.query.matches import run_in_parts, run_select
from runner.corpus.store.opening import Store
from runner.errors import InputError

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class ActionTargets:
    """The number of targets of one action in one sentence, and the ids of their words.

    `filter` is the index of the filter, and `action` the index of the action in it. `words` are in ascending order, and
    empty for actions on sentences and for the action `count`.
    """

    filter: int
    action: int
    count: int
    words: tuple[int, ...]


def action_targets(store: Store, filters: Sequence[CompiledFilter]) -> Iterator[dict[int, list[ActionTargets]]]:
    """Yield the targets in each chunk of the store, by sentence. Sentences without targets are omitted."""
    statements = [store.statement(compiled) for compiled in filters]
    features = sorted({name for statement in statements for name in statement.features})
    tables = dict.fromkeys(["tokens", "sentences", *(table for statement in statements for table in statement.tables)])

    def work(connection: duckdb.DuckDBPyConnection) -> dict[int, list[ActionTargets]]:
        part_targets: dict[int, list[ActionTargets]] = {}
        for index, (compiled, statement) in enumerate(zip(filters, statements, strict=True)):
            _register_matches(connection, compiled, statement)
            for sid, targets in _targets_of_filter(store, connection, index, compiled):
                part_targets.setdefault(sid, []).append(targets)
        return part_targets

    for chunk in range(store.info.chunks):
        chunk_targets: dict[int, list[ActionTargets]] = {}
        for part in run_in_parts(store, features, tables, work, [chunk]):
            chunk_targets |= part
        yield chunk_targets


def _register_matches(connection: duckdb.DuckDBPyConnection, compiled: CompiledFilter, statement: Statement) -> None:
    """Register the matches as the table `matches`. If all actions apply to sentences, it has only the column `sid`."""
    sentences_only = all(action.target == "sentence" for action in compiled.ir.actions)
    matches = run_select(connection, statement.sentences_text if sentences_only else statement.text)
    connection.register("matches", matches)


def _targets_of_filter(
    store: Store, connection: duckdb.DuckDBPyConnection, filter_index: int, compiled: CompiledFilter
) -> Iterator[tuple[int, ActionTargets]]:
    for action_index, targets in enumerate(compiled.targets()):
        distinct_targets = run_select(connection, targets.distinct)
        if targets.action.verb == "keep":
            distinct_targets = _non_matching(
                run_select(connection, "SELECT sid FROM sentences ORDER BY sid"), distinct_targets
            )
        if targets.action.target == "sentence" or targets.action.verb == "count":
            for sid, rows in _rows_by_sentence(distinct_targets):
                yield sid, ActionTargets(filter_index, action_index, len(rows), ())
            continue
        words = run_select(connection, targets.words)
        ids = words.column("id").to_pylist()
        word_rows = dict(_rows_by_sentence(words))
        for sid, rows in _rows_by_sentence(distinct_targets):
            if sid not in word_rows:  # never in a store that fictc wrote
                raise InputError(diagnostic("FICT742", path=store.path, reason=f"sentence {sid} lacks words"))
            word_ids = tuple(ids[word_rows[sid].start : word_rows[sid].stop])
            yield sid, ActionTargets(filter_index, action_index, len(rows), word_ids)


def _non_matching(all_sentences: pa.Table, matching: pa.Table) -> pa.Table:
    """Return the sentences that do not match, which `keep` drops."""
    import pyarrow.compute as pc

    return all_sentences.filter(pc.invert(pc.is_in(all_sentences.column("sid"), value_set=matching.column("sid"))))


def _rows_by_sentence(table: pa.Table) -> Iterator[tuple[int, range]]:
    """Yield the range of rows of each sentence; the table is sorted by sentence."""
    import numpy as np

    sids: np.ndarray = table.column("sid").to_numpy()
    starts = np.flatnonzero(np.diff(sids, prepend=-1)).tolist()
    for start, end in pairwise([*starts, len(sids)]):
        yield int(sids[start]), range(start, end)
