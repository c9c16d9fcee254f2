"""A store's sentences back into files: the text as it came in, or the CoNLL-U to the byte."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any, Literal

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.sentences.texts import Written, as_bytes, batches, blocks, spelling, written
from runner.corpus.store.opening import Store
from runner.corpus.text.json_lines import quoted
from runner.corpus.text.lines import LINES
from runner.corpus.text.parsed import spell
from runner.errors import InputError
from runner.readers import parse_json

Format = Literal["text", "conllu", "original"]


def surfaces(store: Store, sids: Any = None) -> Iterator[str]:
    """The text of each sentence as it must go out, in corpus order; `sids` (sorted integers) chooses sentences.

    A sentence is one line: its text never holds a line break.
    """
    for batch in batches(store, "sentences", ("surface", "text"), sids):
        yield from spelling(batch).to_pylist()


def conllu(store: Store, sids: Any = None) -> Iterator[str]:
    """The CoNLL-U of each sentence as it was read, with the empty line after it, in corpus order."""
    for batch in batches(store, "raw", ("conllu",), sids):
        yield from blocks(batch.column("conllu")).to_pylist()


def write(store: Store, kind: Format, out: IO[bytes], sids: Any = None) -> int:
    """Write all sentences, or those of `sids`, to a binary file; returns how many.

    The original text is written whole, line by line or paragraph by paragraph, and has no `sids`.
    """
    count = 0
    if kind == "original":
        for piece in original(store):
            out.write(piece.encode())
            count += 1
        return count
    for texts in _written(store, kind, sids):
        out.write(as_bytes(texts))
        count += len(texts)
    return count


def _written(store: Store, kind: Written, sids: Any) -> Iterator[Any]:
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = None if sids is None else pa.array(sids, pa.int64())
    for numbers, texts in written(store, kind):
        yield texts if wanted is None else texts.filter(pc.is_in(numbers, value_set=wanted))


def original(store: Store) -> Iterator[str]:
    """The raw text that the store was made from, unit by unit; InputError if it was not made from raw text."""
    if LINES not in store.files:
        raise InputError(diagnostic("FICT745", path=store.path))
    for text, _, row in _units(store):
        quoting = row.get("quoting")
        yield text + row["end"] if quoting is None else row["before"] + quoted(text, quoting) + row["end"]


def spelt(store: Store) -> Iterator[tuple[str, range]]:
    """Each line (or paragraph) that the store was made from with the numbers of the sentences it became.

    A store that was not made from raw text has its sentences, each for itself.
    """
    if LINES in store.files:
        yield from ((text, sids) for text, sids, _ in _units(store))
    else:
        yield from ((text, range(sid, sid + 1)) for sid, text in enumerate(surfaces(store)))


def _units(store: Store) -> Iterator[tuple[str, range, dict[str, Any]]]:
    """The text of each unit, its sentences, and all that `lines.parquet` says of it."""
    import pyarrow.parquet as pq

    texts = surfaces(store)
    with store.reading(), pq.ParquetFile(store.file(LINES), page_checksum_verification=True) as file:
        for batch in file.iter_batches(8192):
            for row in batch.to_pylist():
                sids = range(0) if row["first"] is None else range(row["first"], row["last"] + 1)
                yield _unit(row, texts), sids, row


def _unit(row: dict[str, Any], texts: Iterator[str]) -> str:
    """A unit's text from its sentences, which are taken from `texts` in any case."""
    count = 0 if row["first"] is None else row["last"] - row["first"] + 1
    sentences = [next(texts) for _ in range(count)]
    if row["text"] is not None:
        return str(row["text"])
    return spell(sentences, None if row["gaps"] is None else parse_json(row["gaps"]))
