"""Filters and a store into the corpus that all their actions leave: the text of each sentence, or that it is gone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.semantics import ir
from runner.corpus.actions.spelling import REMOVE, Change, ClashError, Put, PutTag, Tag, rewrite
from runner.corpus.actions.targets import Taken, take
from runner.corpus.query.filters import labels
from runner.corpus.sentences.texts import exact_texts
from runner.corpus.store.opening import Store
from runner.corpus.text.surface import read_surface
from runner.errors import InputError


@dataclass(frozen=True, slots=True)
class Edited:
    """A sentence after all actions: its text, None if it is gone, and what was taken from it.

    A text from which no word was taken is the one that came in, byte for byte.
    """

    sid: int
    text: str | None
    taken: Sequence[Taken]


def edited(store: Store, filters: Sequence[CompiledFilter]) -> Iterator[Edited]:
    """Every sentence of the corpus, in order, after the actions of all filters.

    InputError where two masks put different strings for one word.
    """
    paths = zip(store.parquet("sentences"), store.parquet("raw"), strict=True)
    for (texts, trees), taken in zip(paths, take(store, filters), strict=True):
        dropped = {sid for sid, some in taken.items() if any(_drops(filters, one) for one in some)}
        touched = {sid for sid, some in taken.items() if sid not in dropped and any(one.words for one in some)}
        for sid, surface, block in _rows(store, texts, trees, touched):
            some = taken.get(sid, ())
            try:
                text = (
                    None if sid in dropped else surface if block is None else _rewritten(filters, some, surface, block)
                )
            except ClashError as clash:
                raise InputError(_clash(store, sid, filters, some, clash)) from clash
            yield Edited(sid, text, some)


def _action(filters: Sequence[CompiledFilter], taken: Taken) -> ir.Action:
    return filters[taken.filter].ir.actions[taken.action]


def _drops(filters: Sequence[CompiledFilter], taken: Taken) -> bool:
    action = _action(filters, taken)
    return action.target == "sentence" and action.verb != "count"


def _rewritten(filters: Sequence[CompiledFilter], taken: Sequence[Taken], surface: str, block: str) -> str | None:
    changes: dict[int, set[Change]] = {}
    for one in taken:
        for word in one.words:
            changes.setdefault(word, set()).add(_change(_action(filters, one)))
    return rewrite(read_surface(block, surface), changes)


def _change(action: ir.Action) -> Change:
    if action.verb == "remove":
        return REMOVE
    if action.replacement is not None:
        return Put(action.replacement)
    return PutTag(cast("Tag", action.tag))


def _clash(
    store: Store, sid: int, filters: Sequence[CompiledFilter], taken: Sequence[Taken], clash: ClashError
) -> Diagnostic:
    """Where two replacements meet, and which filters say them."""
    import numpy as np

    from runner.corpus.sentences.lookup import locate

    names, token = labels(filters), clash.token
    here = [one for one in taken if any(token.first <= word <= token.last for word in one.words)]
    ways = dict.fromkeys(f"`{filters[one.filter].actions[one.action]}` of {names[one.filter]}" for one in here)
    (place,) = locate(store, np.array([sid]))
    where = f"sentence {place.number} of {place.source}" + (f" ({place.sent_id})" if place.sent_id else "")
    return diagnostic("FICT747", form=token.form, place=where, ways=" and ".join(ways))


def _rows(store: Store, texts: Path, trees: Path, wanted: Set[int]) -> Iterator[tuple[int, str, str | None]]:
    """The number and text of every sentence of a chunk, and its CoNLL-U if it is wanted."""
    import pyarrow.parquet as pq

    blocks = _blocks(trees, wanted)
    with store.reading(), pq.ParquetFile(texts, page_checksum_verification=True) as file:
        for batch in file.iter_batches(8192, columns=["sid", "text", "surface"]):
            for sid, surface in zip(batch.column(0).to_pylist(), exact_texts(batch).to_pylist(), strict=True):
                yield sid, surface, next(blocks) if sid in wanted else None


def _blocks(path: Path, wanted: Set[int]) -> Iterator[str]:
    """The CoNLL-U of some sentences, in corpus order."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    numbers = pa.array(sorted(wanted), pa.int64())
    with pq.ParquetFile(path, page_checksum_verification=True) as file:
        for batch in file.iter_batches(8192, columns=["sid", "conllu"]) if wanted else ():
            yield from batch.column(1).filter(pc.is_in(batch.column(0), value_set=numbers)).to_pylist()
