"""A store's sentences back into files: the text as it came in, or the CoNLL-U to the byte."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import IO, Any, Literal, assert_never

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.json_lines import quoted
from runner.corpus.lines import LINES
from runner.corpus.parsed import spell
from runner.corpus.store import Store
from runner.errors import InputError

Format = Literal["text", "conllu", "original"]


def surfaces(store: Store, sids: Any = None) -> Iterator[str]:
    """The text of each sentence as it must go out, in corpus order; `sids` (sorted integers) chooses sentences.

    A sentence is one line: its text never holds a line break.
    """
    for batch in _batches(store, "sentences", ("surface", "text"), sids):
        yield from spelling(batch).to_pylist()


def conllu(store: Store, sids: Any = None) -> Iterator[str]:
    """The CoNLL-U of each sentence as it was read, with the empty line after it, in corpus order."""
    for batch in _batches(store, "raw", ("conllu",), sids):
        yield from map(ended, batch.column("conllu").to_pylist())


def ended(block: str) -> str:
    """A sentence's CoNLL-U, as it is stored, with its last line end and the empty line after it."""
    line_end = "\r\n" if block.endswith("\r") else "\n"
    return f"{block}\n{line_end}"


def write(store: Store, kind: Format, out: IO[bytes], sids: Any = None) -> int:
    """Write all sentences, or those of `sids`, to a binary file; returns how many.

    The original text is written whole, line by line or paragraph by paragraph, and has no `sids`.
    """
    pieces: Iterator[str]
    match kind:
        case "text":
            pieces = (sentence + "\n" for sentence in surfaces(store, sids))
        case "conllu":
            pieces = conllu(store, sids)
        case "original":
            pieces = original(store)
        case _:
            assert_never(kind)
    count = 0
    for piece in pieces:
        out.write(piece.encode())
        count += 1
    return count


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
    with pq.ParquetFile(store.file(LINES), page_checksum_verification=True) as file:
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
    return spell(sentences, None if row["gaps"] is None else json.loads(row["gaps"]))


def spelling(sentences: Any) -> Any:
    """The text of each row of `sentences` to the byte."""
    import pyarrow.compute as pc

    return pc.coalesce(sentences.column("surface"), sentences.column("text"))


def _batches(store: Store, table: str, columns: Sequence[str], sids: Any) -> Iterator[Any]:
    """Some columns of a table that has a row for each sentence, a batch at a time, in corpus order."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    wanted = None if sids is None else pa.array(sids, pa.int64())
    for path in store.parquet(table):
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            for batch in file.iter_batches(8192, columns=["sid", *columns]):
                yield batch if wanted is None else batch.filter(pc.is_in(batch.column(0), value_set=wanted))
