"""Write one filtered corpus per set of filters that drop sentences, reading the store's text once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from fictdsl.compiler import CompiledFilter
from runner.corpus.query.matches import run_in_parts, run_select
from runner.corpus.sentences.texts import TextFormat, drop_rows, formatted_texts
from runner.corpus.store.opening import Store

if TYPE_CHECKING:
    import duckdb
    import numpy as np


@dataclass(slots=True)
class DropCounts:
    """The number of sentences kept in each corpus, and the number of targets of each (filter, action)."""

    kept: list[int]
    targets: Counter[tuple[int, int]] = field(default_factory=Counter)


def drops_sentences_only(compiled: CompiledFilter) -> bool:
    """Return whether all actions of a filter apply to whole sentences."""
    return all(action.target == "sentence" for action in compiled.ir.actions)


def drop_sentences(
    store: Store,
    filters: Sequence[CompiledFilter],
    filter_sets: Sequence[Sequence[int]],
    text_format: TextFormat,
    outputs: Sequence[IO[bytes]],
) -> DropCounts:
    """Write the sentences that remain after each set of filters to the corresponding file of `outputs`.

    A set of `filter_sets` contains indices of `filters`. All actions of the filters must apply to whole sentences.
    """
    import numpy as np

    counts = DropCounts([0] * len(filter_sets))
    for chunk, matching_sids in enumerate(_matching_sids(store, filters)):
        chunk_sids = store.sids([chunk])
        all_sids = np.arange(chunk_sids.start, chunk_sids.stop)
        dropped_by_filter = [
            _sids_to_drop(counts, filter_index, compiled, sids, all_sids)
            for filter_index, (compiled, sids) in enumerate(zip(filters, matching_sids, strict=True))
        ]
        dropped_by_set = [
            np.unique(np.concatenate([dropped_by_filter[filter_index] for filter_index in filter_set]))
            for filter_set in filter_sets
        ]
        for sids, texts in formatted_texts(store, text_format, [chunk]):
            for set_index, file in enumerate(outputs):
                data, remaining = drop_rows(sids, texts, dropped_by_set[set_index])
                file.write(data)
                counts.kept[set_index] += remaining
    return counts


def _sids_to_drop(
    counts: DropCounts, filter_index: int, compiled: CompiledFilter, matching_sids: np.ndarray, all_sids: np.ndarray
) -> np.ndarray:
    """Return the sorted ids of the sentences that a filter drops, and add the targets of its actions to `counts`."""
    import numpy as np

    other_sids = np.setdiff1d(all_sids, matching_sids, assume_unique=True) if compiled.keeps else matching_sids[:0]
    sids_by_action = [matching_sids[:0]]
    for action_index, action in enumerate(compiled.ir.actions):
        targets = other_sids if action.verb == "keep" else matching_sids
        counts.targets[filter_index, action_index] += len(targets)
        if action.verb != "count":
            sids_by_action.append(targets)
    return np.unique(np.concatenate(sids_by_action))


def _matching_sids(store: Store, filters: Sequence[CompiledFilter]) -> Iterator[list[np.ndarray]]:
    """Yield the sorted ids of the sentences that each filter matches, chunk by chunk."""
    import numpy as np

    statements = [store.statement(compiled) for compiled in filters]
    features = {name for statement in statements for name in statement.features}
    tables = {table for statement in statements for table in statement.tables}

    def work(connection: duckdb.DuckDBPyConnection) -> list[np.ndarray]:
        return [run_select(connection, statement.sentences_text)["sid"].to_numpy() for statement in statements]

    for chunk in range(store.info.chunks):
        parts = list(run_in_parts(store, features, tables, work, [chunk]))
        yield [np.concatenate(filter_parts) for filter_parts in zip(*parts, strict=True)]
