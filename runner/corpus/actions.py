"""Apply the actions of filters to a store: remove or mask words, or drop sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.semantics import ir
from fictdsl.sql.statement import Statement
from runner.corpus.filter_arguments import filter_labels
from runner.corpus.matches import run_in_parts, run_select
from runner.corpus.sentence_texts import TextFormat, drop_rows, exact_texts, formatted_texts
from runner.corpus.store import Store
from runner.corpus.surface import REMOVE, Change, ClashError, Replace, ReplaceByTag, Tag, read_surface, rewrite
from runner.errors import InputError

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class ActionTargets:
    """The number of targets of one action in one sentence, and the ids of their words.

    `filter` is the index of the filter, and `action` the index of the action in it. `words` are in ascending order, and
    empty for actions on sentences and for the action `count`.
    """

    filter: int
    action: int
    count: int
    words: tuple[int, ...]


def action_targets(store: Store, filters: Sequence[CompiledFilter]) -> Iterator[dict[int, list[ActionTargets]]]:
    statements = [store.statement(compiled) for compiled in filters]
    features = sorted({name for statement in statements for name in statement.features})
    tables = dict.fromkeys(["tokens", "sentences", *(table for statement in statements for table in statement.tables)])

    def work(connection: duckdb.DuckDBPyConnection) -> dict[int, list[ActionTargets]]:
        part_targets: dict[int, list[ActionTargets]] = {}
        for index, (compiled, statement) in enumerate(zip(filters, statements, strict=True)):
            _register_matches(connection, compiled, statement)
            for sid, targets in _targets_of_filter(store, connection, index, compiled):
                part_targets.setdefault(sid, []).append(targets)
        return part_targets

    for chunk in range(store.info.chunks):
        chunk_targets: dict[int, list[ActionTargets]] = {}
        for part in run_in_parts(store, features, tables, work, [chunk]):
            chunk_targets |= part
        yield chunk_targets


def _register_matches(connection: duckdb.DuckDBPyConnection, compiled: CompiledFilter, statement: Statement) -> None:
    """Register the matches as the table `matches`. If all actions apply to sentences, it has only the column `sid`."""
    sentences_only = all(action.target == "sentence" for action in compiled.ir.actions)
    matches = run_select(connection, statement.sentences_text if sentences_only else statement.text)
    connection.register("matches", matches)


def _targets_of_filter(
    store: Store, connection: duckdb.DuckDBPyConnection, filter_index: int, compiled: CompiledFilter
) -> Iterator[tuple[int, ActionTargets]]:
    for action_index, targets in enumerate(compiled.targets()):
        distinct_targets = run_select(connection, targets.distinct)
        if targets.action.verb == "keep":
            distinct_targets = _non_matching(
                run_select(connection, "SELECT sid FROM sentences ORDER BY sid"), distinct_targets
            )
        if targets.action.target == "sentence" or targets.action.verb == "count":
            for sid, rows in _rows_by_sentence(distinct_targets):
                yield sid, ActionTargets(filter_index, action_index, len(rows), ())
            continue
        words = run_select(connection, targets.words)
        ids = words.column("id").to_pylist()
        word_rows = dict(_rows_by_sentence(words))
        for sid, rows in _rows_by_sentence(distinct_targets):
            if sid not in word_rows:  # never in a store that fictc wrote
                raise InputError(diagnostic("FICT742", path=store.path, reason=f"sentence {sid} lacks words"))
            word_ids = tuple(ids[word_rows[sid].start : word_rows[sid].stop])
            yield sid, ActionTargets(filter_index, action_index, len(rows), word_ids)


def _non_matching(all_sentences: pa.Table, matching: pa.Table) -> pa.Table:
    import pyarrow.compute as pc

    return all_sentences.filter(pc.invert(pc.is_in(all_sentences.column("sid"), value_set=matching.column("sid"))))


def _rows_by_sentence(table: pa.Table) -> Iterator[tuple[int, range]]:
    """Yield the range of rows of each sentence; the table is sorted by sentence."""
    import numpy as np

    sids: np.ndarray = table.column("sid").to_numpy()
    starts = np.flatnonzero(np.diff(sids, prepend=-1)).tolist()
    for start, end in pairwise([*starts, len(sids)]):
        yield int(sids[start]), range(start, end)


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
    import numpy as np

    from runner.corpus.sentence_texts import locate

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
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    sids = pa.array(sorted(edited_sids), pa.int64())
    with pq.ParquetFile(path, page_checksum_verification=True) as file:
        for batch in file.iter_batches(8192, columns=["sid", "conllu"]) if edited_sids else ():
            yield from batch.column(1).filter(pc.is_in(batch.column(0), value_set=sids)).to_pylist()


@dataclass(slots=True)
class DropCounts:
    """The number of sentences kept in each corpus, and the number of targets of each (filter, action)."""

    kept: list[int]
    targets: Counter[tuple[int, int]] = field(default_factory=Counter)


def drops_sentences_only(compiled: CompiledFilter) -> bool:
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
    import numpy as np

    statements = [store.statement(compiled) for compiled in filters]
    features = {name for statement in statements for name in statement.features}
    tables = {table for statement in statements for table in statement.tables}

    def work(connection: duckdb.DuckDBPyConnection) -> list[np.ndarray]:
        return [run_select(connection, statement.sentences_text)["sid"].to_numpy() for statement in statements]

    for chunk in range(store.info.chunks):
        parts = list(run_in_parts(store, features, tables, work, [chunk]))
        yield [np.concatenate(filter_parts) for filter_parts in zip(*parts, strict=True)]
