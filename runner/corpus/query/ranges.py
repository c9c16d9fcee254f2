"""Search a store in ranges that grow, so that the first matches are known before the whole store is searched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from runner.corpus.query.matches import run_in_parts, run_select
from runner.corpus.store.opening import Store

if TYPE_CHECKING:
    import pyarrow as pa

    from fictdsl.compiler import CompiledFilter

_GROWTH = (20_000, 100_000)  # sentences of the first ranges; the others are the rest of a chunk


def growing_ranges(store: Store) -> Iterator[range]:
    """Yield consecutive ranges of sentences, which together are the store: 20,000, 100,000, then the rest by chunks.

    No range has sentences of two chunks.
    """
    sizes, start = iter(_GROWTH), 0
    for end in store.info.ends:
        while start < end:
            stop = min(end, start + next(sizes, end))
            yield range(start, stop)
            start = stop


def match_range(store: Store, compiled: CompiledFilter, sids: range) -> pa.Table:
    """Return the distinct matches in consecutive sentences of one chunk, sorted as by `match`."""
    import pyarrow as pa

    statement = store.statement(compiled)
    (chunk,) = store.chunks_with((sids[0],))
    selected = None if sids == store.sids([chunk]) else sids
    parts = run_in_parts(
        store,
        statement.features,
        statement.tables,
        lambda connection: run_select(connection, statement.text),
        [chunk],
        selected,
    )
    return pa.concat_tables(parts)
