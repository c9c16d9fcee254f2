"""Apply the actions of filters to a store: remove or mask words, or drop sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import IO, TYPE_CHECKING, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.semantics import ir
from runner.corpus.filter_arguments import filter_labels
from runner.corpus.matches import run_select, run_statements
from runner.corpus.sentence_texts import TextFormat, drop_rows, exact_texts, formatted_texts, locate, read_batches
from runner.corpus.store import Store
from runner.corpus.surface import REMOVE, Change, ClashError, Replace, ReplaceByTag, Tag, read_surface, rewrite
from runner.errors import InputError

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, slots=True)
class ActionTargets:
    """The targets of an action, by the indices of filter and action, in a sentence."""

    filter: int
    action: int
    count: int
    words: tuple[int, ...]  # their words, ascending; none for actions on sentences and for the action `count`


def action_targets(store: Store, filters: Sequence[CompiledFilter]) -> Iterator[dict[int, list[ActionTargets]]]:
    statements = [store.statement(compiled) for compiled in filters]

    def work(connection: duckdb.DuckDBPyConnection) -> dict[int, list[ActionTargets]]:
        part_targets: dict[int, list[ActionTargets]] = {}
        for index, (compiled, statement) in enumerate(zip(filters, statements, strict=True)):
            text = statement.sentences_text if drops_sentences_only(compiled) else statement.text
            connection.register("matches", run_select(connection, text))
            for sid, targets in _targets_of_filter(store, connection, index, compiled):
                part_targets.setdefault(sid, []).append(targets)
        return part_targets

    for chunk in range(store.info.chunks):
        chunk_targets: dict[int, list[ActionTargets]] = {}
        for part in run_statements(store, statements, work, [chunk], tables=("tokens", "sentences")):
            chunk_targets |= part
        yield chunk_targets


def _targets_of_filter(
    store: Store, connection: duckdb.DuckDBPyConnection, filter_index: int, compiled: CompiledFilter
) -> Iterator[tuple[int, ActionTargets]]:
    for action_index, targets in enumerate(compiled.targets()):
        distinct_targets = run_select(connection, targets.distinct)
        if targets.action.verb == "keep":
            all_sentences = run_select(connection, "SELECT sid FROM sentences ORDER BY sid")
            matching = pc.is_in(all_sentences.column("sid"), value_set=distinct_targets.column("sid"))
            distinct_targets = all_sentences.filter(pc.invert(matching))
        if targets.action.target == "sentence" or targets.action.verb == "count":
            for sid, rows in _rows_by_sentence(distinct_targets):
                yield sid, ActionTargets(filter_index, action_index, len(rows), ())
            continue
        words = run_select(connection, targets.words)
        ids = words.column("id").to_pylist()
        word_rows = dict(_rows_by_sentence(words))
        for sid, rows in _rows_by_sentence(distinct_targets):
            if sid not in word_rows:  # never in a store that fictc wrote
                raise InputError.of("FICT742", path=store.path, reason=f"sentence {sid} lacks words")
            word_ids = tuple(ids[word_rows[sid].start : word_rows[sid].stop])
            yield sid, ActionTargets(filter_index, action_index, len(rows), word_ids)


def _rows_by_sentence(table: pa.Table) -> Iterator[tuple[int, range]]:
    """Yield the range of rows of each sentence; the table is sorted by sentence."""
    sids: np.ndarray = table.column("sid").to_numpy()
    starts = np.flatnonzero(np.diff(sids, prepend=-1)).tolist()
    for start, end in pairwise([*starts, len(sids)]):
        yield int(sids[start]), range(start, end)


@dataclass(frozen=True, slots=True)
class EditedSentence:
    sid: int
    text: str | None  # None if the sentence is dropped or has no word left
    targets: Sequence[ActionTargets]


def edit_sentences(store: Store, filters: Sequence[CompiledFilter]) -> Iterator[EditedSentence]:
    """Yield every sentence in order. Raises InputError (FICT747) if masks replace a word with different strings."""
    for chunk, targets in enumerate(action_targets(store, filters)):
        dropped_sids = {
            sid
            for sid, sentence_targets in targets.items()
            for action in (_action(filters, target) for target in sentence_targets)
            if action.target == "sentence" and action.verb != "count"
        }
        edited_sids = {
            sid
            for sid, sentence_targets in targets.items()
            if sid not in dropped_sids and any(target.words for target in sentence_targets)
        }
        for sid, surface, block in _sentences(store, chunk, edited_sids):
            sentence_targets = targets.get(sid, ())
            try:
                text = surface if block is None else _edited_text(filters, sentence_targets, surface, block)
            except ClashError as error:
                raise InputError(_clash(store, sid, filters, sentence_targets, error)) from error
            yield EditedSentence(sid, None if sid in dropped_sids else text, sentence_targets)


def _action(filters: Sequence[CompiledFilter], target: ActionTargets) -> ir.Action:
    return filters[target.filter].ir.actions[target.action]


def _edited_text(
    filters: Sequence[CompiledFilter], targets: Sequence[ActionTargets], surface: str, block: str
) -> str | None:
    changes: dict[int, set[Change]] = {}
    for target in targets:
        action = _action(filters, target)
        masked = ReplaceByTag(cast("Tag", action.tag)) if action.replacement is None else Replace(action.replacement)
        for word in target.words:
            changes.setdefault(word, set()).add(REMOVE if action.verb == "remove" else masked)
    return rewrite(read_surface(block, surface), changes)


def _clash(
    store: Store, sid: int, filters: Sequence[CompiledFilter], targets: Sequence[ActionTargets], clash: ClashError
) -> Diagnostic:
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


def _sentences(store: Store, chunk: int, edited_sids: Set[int]) -> Iterator[tuple[int, str, str | None]]:
    trees = read_batches(store, "raw", ("conllu",), np.array(sorted(edited_sids), np.int64), [chunk])
    blocks = chain.from_iterable(batch.column("conllu").to_pylist() for batch in trees)
    for batch in read_batches(store, "sentences", ("text", "surface"), chunks=[chunk]):
        for sid, surface in zip(batch.column("sid").to_pylist(), exact_texts(batch).to_pylist(), strict=True):
            yield sid, surface, next(blocks) if sid in edited_sids else None


@dataclass(slots=True)
class DropCounts:
    kept: list[int]  # sentences of each corpus
    targets: Counter[tuple[int, int]] = field(default_factory=Counter)  # by the indices of filter and action


def drops_sentences_only(compiled: CompiledFilter) -> bool:
    return all(action.target == "sentence" for action in compiled.ir.actions)


def drop_sentences(
    store: Store,
    filters: Sequence[CompiledFilter],
    filter_sets: Sequence[Sequence[int]],
    text_format: TextFormat,
    outputs: Sequence[IO[bytes]],
) -> DropCounts:
    """Write what remains after each set of indices of `filters`, all of whose actions apply to sentences."""
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
    other_sids = np.setdiff1d(all_sids, matching_sids, assume_unique=True) if compiled.keeps else matching_sids[:0]
    sids_by_action = [matching_sids[:0]]
    for action_index, action in enumerate(compiled.ir.actions):
        targets = other_sids if action.verb == "keep" else matching_sids
        counts.targets[filter_index, action_index] += len(targets)
        if action.verb != "count":
            sids_by_action.append(targets)
    return np.unique(np.concatenate(sids_by_action))


def _matching_sids(store: Store, filters: Sequence[CompiledFilter]) -> Iterator[list[np.ndarray]]:
    statements = [store.statement(compiled) for compiled in filters]

    def work(connection: duckdb.DuckDBPyConnection) -> list[np.ndarray]:
        return [run_select(connection, statement.sentences_text)["sid"].to_numpy() for statement in statements]

    for chunk in range(store.info.chunks):
        parts = list(run_statements(store, statements, work, [chunk]))
        yield [np.concatenate(filter_parts) for filter_parts in zip(*parts, strict=True)]
