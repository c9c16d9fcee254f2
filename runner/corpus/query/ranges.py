"""Search a store in growing ranges, so that the first matches are found before the whole store is searched."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from runner.corpus.query.matches import run_in_parts, run_select
from runner.corpus.store.opening import Store

if TYPE_CHECKING:
    import pyarrow as pa

    from fictdsl.compiler import CompiledFilter

_FIRST_SIZE, _SECOND_SIZE = 20_000, 100_000  # sentences in the first two ranges
_MAX_CHUNKS = 8  # per range


def next_range(ends: Sequence[int], start: int, matches: int, wanted: int) -> range:
    """Return the next range of sentences to search, given the `matches` in the first `start` sentences.

    `ends` are the ends of the chunks, and `wanted` is the number of matches to find. The first range has 20,000
    sentences. A later range in the first chunk has 100,000 sentences if half of them probably complete the wanted
    matches. Otherwise it ends with the chunk, because planning the query for another range would cost more than it
    saves. Ranges after the first chunk are whole chunks. Their number doubles up to 8, if so many are needed for the
    wanted matches.
    """
    chunk = bisect_right(ends, start)
    if start == 0:
        return range(min(_FIRST_SIZE, ends[chunk]))
    needed_sentences = (wanted - matches) * start / matches if matches else float("inf")  # if matches are spread evenly
    if start not in ends:
        return range(
            start, min(ends[chunk], start + _SECOND_SIZE) if 0 < 2 * needed_sentences < _SECOND_SIZE else ends[chunk]
        )
    last_chunk = min(2 * chunk, chunk + _MAX_CHUNKS, len(ends)) - 1
    if needed_sentences > 0:
        last_chunk = min(last_chunk, bisect_right(ends, start + needed_sentences))
    return range(start, ends[last_chunk])


def match_range(store: Store, compiled: CompiledFilter, sids: range) -> pa.Table:
    """Return the distinct matches in a range of sentences, sorted as by `match`.

    The range lies in one chunk, or consists of whole chunks.
    """
    import pyarrow as pa

    statement = store.statement(compiled)
    first_chunk, *other_chunks = store.chunks_with((sids[0], sids[-1]))
    chunks = range(first_chunk, other_chunks[-1] + 1 if other_chunks else first_chunk + 1)
    selected_sids = None if sids == store.sids(chunks) else sids
    assert selected_sids is None or len(chunks) == 1
    parts = run_in_parts(
        store,
        statement.features,
        statement.tables,
        lambda connection: run_select(connection, statement.text),
        chunks,
        selected_sids,
    )
    return pa.concat_tables(parts)
