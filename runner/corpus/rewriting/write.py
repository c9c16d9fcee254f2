"""Write a rewritten store as text or CoNLL-U. Unchanged sentences are copied without decoding them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import IO, TYPE_CHECKING

from fictdsl.compiler import CompiledRewrite
from runner.corpus.rewriting.apply import Rewritten, new_counts, rewrite_batches
from runner.corpus.rewriting.take import Counts
from runner.corpus.rewriting.texts import rewritten_texts
from runner.corpus.sentences.texts import TextFormat, as_bytes, as_conllu_blocks, as_lines
from runner.corpus.store.opening import Store

if TYPE_CHECKING:
    import pyarrow as pa

_POSITION_COLUMNS = (
    "source",
    "number",
)  # without `sent_id`, which takes a third of the time of reading the other columns


def count_rewritten(store: Store, rewrites: Sequence[CompiledRewrite], seed: int) -> Counts:
    """Return the counts of rewriting a store, without writing the result."""
    counts = new_counts(rewrites)
    for _ in rewritten_texts(store, rewrites, seed, counts, position_columns=_POSITION_COLUMNS):
        pass
    return counts


def write_rewritten(
    store: Store, rewrites: Sequence[CompiledRewrite], text_format: TextFormat, out: IO[bytes], seed: int
) -> Counts:
    """Apply all rewrites to a store, write the result to a binary file, and return the counts."""
    counts = new_counts(rewrites)
    if text_format == "text":
        for text_batch in rewritten_texts(store, rewrites, seed, counts, position_columns=_POSITION_COLUMNS):
            out.write(as_bytes(as_lines(text_batch.texts.drop_null())))
        return counts
    for batch in rewrite_batches(store, rewrites, seed, counts, with_trees=True):
        _write(as_conllu_blocks(batch.trees), batch.changed, out)
    return counts


def _write(blocks: pa.Array, changed: Mapping[int, Rewritten], out: IO[bytes]) -> None:
    """Write sentences as CoNLL-U. `changed` has the rewritten sentences by row."""
    start = 0
    for row in sorted(changed):
        out.write(as_bytes(blocks.slice(start, row - start)))
        out.write(_formatted(changed[row]))
        start = row + 1
    out.write(as_bytes(blocks.slice(start)))


def _formatted(rewritten: Rewritten) -> bytes:
    """Return the CoNLL-U of a changed sentence with the empty line after it, or b"" if it is dropped."""
    if rewritten.spelling is None:
        return b""
    return f"{rewritten.conllu}\n{rewritten.draft.stored.end}\n".encode()
