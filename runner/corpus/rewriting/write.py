"""Write a rewritten store as text or CoNLL-U. Unchanged sentences are copied without decoding them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import IO, TYPE_CHECKING

from fictdsl.compiler import CompiledRewrite
from runner.corpus.rewriting.apply import Rewritten, new_counts, rewrite_batches
from runner.corpus.rewriting.take import Counts
from runner.corpus.rewriting.texts import rewritten_texts
from runner.corpus.sentences.texts import TextFormat, as_bytes, as_conllu_blocks, as_lines, text_ends
from runner.corpus.store.opening import Store

if TYPE_CHECKING:
    import pyarrow as pa


def count_rewritten(store: Store, rewrites: Sequence[CompiledRewrite], seed: int) -> Counts:
    """Return the counts of rewriting a store, without writing the result."""
    counts = new_counts(rewrites)
    for _ in rewritten_texts(store, rewrites, seed, counts, position_columns=()):
        pass
    return counts


def write_rewritten(
    store: Store, rewrites: Sequence[CompiledRewrite], text_format: TextFormat, out: IO[bytes], seed: int
) -> Counts:
    """Apply all rewrites to a store, write the result to a binary file, and return the counts."""
    counts = new_counts(rewrites)
    if text_format == "text":
        for text_batch in rewritten_texts(store, rewrites, seed, counts, position_columns=()):
            new_lines = {row: _line(text) for row, text in text_batch.new_texts.items()}
            out.write(b"".join(_spliced(as_lines(text_batch.other_texts), new_lines)))
        return counts
    for batch in rewrite_batches(store, rewrites, seed, counts, with_trees=True, position_columns=()):
        new_blocks = {row: _block(rewritten) for row, rewritten in batch.changed.items()}
        out.writelines(_spliced(as_conllu_blocks(batch.trees), new_blocks))
    return counts


def _spliced(texts: pa.StringArray, new_texts: Mapping[int, bytes]) -> Iterator[bytes | memoryview]:
    """Yield the bytes of `texts` with those of some rows replaced, without a copy of the others."""
    data, ends = as_bytes(texts), text_ends(texts)
    position = 0
    for row in sorted(new_texts):
        yield data[position : ends[row - 1] if row else 0]
        yield new_texts[row]
        position = ends[row]
    yield data[position:]


def _line(text: str | None) -> bytes:
    """Return the text of a changed sentence as a line, or b"" if it is dropped."""
    return b"" if text is None else f"{text}\n".encode()


def _block(rewritten: Rewritten) -> bytes:
    """Return the CoNLL-U of a changed sentence with the empty line after it, or b"" if it is dropped."""
    if rewritten.spelling is None:
        return b""
    return f"{rewritten.conllu}\n{rewritten.draft.stored.end}\n".encode()
