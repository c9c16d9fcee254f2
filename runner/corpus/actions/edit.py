"""Apply the actions of filters to the texts of a store's sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.semantics import ir
from runner.corpus.actions.spelling import REMOVE, Change, ClashError, Replace, ReplaceByTag, Tag, rewrite
from runner.corpus.actions.targets import ActionTargets, action_targets
from runner.corpus.query.filters import filter_labels
from runner.corpus.sentences.texts import exact_texts
from runner.corpus.store.opening import Store
from runner.corpus.text.surface import read_surface
from runner.errors import InputError


@dataclass(frozen=True, slots=True)
class EditedSentence:
    """A sentence after all actions: its text, and the targets of the actions in it.

    The text is None if the sentence is dropped or has no word left. If no word is removed or masked, the text is
    unchanged.
    """

    sid: int
    text: str | None
    targets: Sequence[ActionTargets]


def edit_sentences(store: Store, filters: Sequence[CompiledFilter]) -> Iterator[EditedSentence]:
    """Yield every sentence of the corpus, in order, after the actions of all filters.

    Raises InputError (FICT747) if two masks replace one word with different strings.
    """
    paths = zip(store.parquet("sentences"), store.parquet("raw"), strict=True)
    for (sentence_file, raw_file), targets in zip(paths, action_targets(store, filters), strict=True):
        dropped_sids = {
            sid
            for sid, sentence_targets in targets.items()
            if any(_drops(filters, target) for target in sentence_targets)
        }
        edited_sids = {
            sid
            for sid, sentence_targets in targets.items()
            if sid not in dropped_sids and any(target.words for target in sentence_targets)
        }
        for sid, surface, block in _rows(store, sentence_file, raw_file, edited_sids):
            sentence_targets = targets.get(sid, ())
            try:
                text = surface if block is None else _edited_text(filters, sentence_targets, surface, block)
            except ClashError as error:
                raise InputError(_clash(store, sid, filters, sentence_targets, error)) from error
            yield EditedSentence(sid, None if sid in dropped_sids else text, sentence_targets)


def _action(filters: Sequence[CompiledFilter], target: ActionTargets) -> ir.Action:
    return filters[target.filter].ir.actions[target.action]


def _drops(filters: Sequence[CompiledFilter], target: ActionTargets) -> bool:
    action = _action(filters, target)
    return action.target == "sentence" and action.verb != "count"


def _edited_text(
    filters: Sequence[CompiledFilter], targets: Sequence[ActionTargets], surface: str, block: str
) -> str | None:
    changes: dict[int, set[Change]] = {}
    for target in targets:
        for word in target.words:
            changes.setdefault(word, set()).add(_change(_action(filters, target)))
    return rewrite(read_surface(block, surface), changes)


def _change(action: ir.Action) -> Change:
    if action.verb == "remove":
        return REMOVE
    if action.replacement is not None:
        return Replace(action.replacement)
    return ReplaceByTag(cast("Tag", action.tag))


def _clash(
    store: Store, sid: int, filters: Sequence[CompiledFilter], targets: Sequence[ActionTargets], clash: ClashError
) -> Diagnostic:
    """Return the diagnostic for two different replacements of one token."""
    import numpy as np

    from runner.corpus.sentences.lookup import locate

    labels, token = filter_labels(filters), clash.token
    clashing = [target for target in targets if any(token.first <= word <= token.last for word in target.words)]
    replacements = dict.fromkeys(
        f"`{filters[target.filter].actions[target.action]}` of {labels[target.filter]}" for target in clashing
    )
    (location,) = locate(store, np.array([sid]))
    description = f"sentence {location.number} of {location.source}" + (
        f" ({location.sent_id})" if location.sent_id else ""
    )
    return diagnostic("FICT747", form=token.form, place=description, ways=" and ".join(replacements))


def _rows(
    store: Store, sentence_file: Path, raw_file: Path, edited_sids: Set[int]
) -> Iterator[tuple[int, str, str | None]]:
    """Yield the id and text of every sentence of a chunk, with its CoNLL-U if it is in `edited_sids`, else None."""
    import pyarrow.parquet as pq

    blocks = _blocks(raw_file, edited_sids)
    with store.reading(), pq.ParquetFile(sentence_file, page_checksum_verification=True) as file:
        for batch in file.iter_batches(8192, columns=["sid", "text", "surface"]):
            for sid, surface in zip(batch.column(0).to_pylist(), exact_texts(batch).to_pylist(), strict=True):
                yield sid, surface, next(blocks) if sid in edited_sids else None


def _blocks(path: Path, edited_sids: Set[int]) -> Iterator[str]:
    """Yield the CoNLL-U of some sentences, in corpus order."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    sids = pa.array(sorted(edited_sids), pa.int64())
    with pq.ParquetFile(path, page_checksum_verification=True) as file:
        for batch in file.iter_batches(8192, columns=["sid", "conllu"]) if edited_sids else ():
            yield from batch.column(1).filter(pc.is_in(batch.column(0), value_set=sids)).to_pylist()
