"""Edited sentences: words that filters change, trees that rewrites change, and the texts after the change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from fictdsl.compiler import CompiledFilter
from fictdsl.semantics import ir
from runner.corpus.actions import ActionTargets, edit_sentences
from runner.corpus.rewrite import Rewriting, Rewritten
from runner.corpus.rewrite_draft import EditedTree
from runner.corpus.sentence_arrays import Indices, read_multiword_tokens, read_trees
from runner.corpus.store import Store
from runner.corpus.surface import REMOVE, Change, Replace, ReplaceByTag, Tag

Kind: TypeAlias = Literal["node", "subtree", "span"]
Ints: TypeAlias = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Words:
    """The words of a store in corpus order, (words,) each. Sentence s has the words `starts[s]` to `starts[s + 1]`.

    `head` is the id of the head, 0 for the root. `pre` and `last` are preorder numbers, from 1, such that a subtree
    has the numbers `pre` to `last`. `first` is the index of the first word of the word's surface token.
    """

    starts: Ints  # (sentences + 1,)
    head: Ints
    pre: Ints
    last: Ints
    first: Ints

    @classmethod
    def of(cls, store: Store) -> Words:
        sid, head, pre, last = read_trees(store)
        starts, first = np.searchsorted(sid, np.arange(store.info.sentences + 1)), np.arange(len(sid))
        for sentence, begin, end in read_multiword_tokens(store):
            start = int(starts[sentence])
            first[start + begin - 1 : start + end] = start + begin - 1
        return cls(starts, head, pre, last, first)


@dataclass(frozen=True, slots=True)
class Unit:
    kind: Kind
    size: int
    change: Change
    whole_sentence: bool

    @property
    def removes(self) -> bool:
        return self.change == REMOVE


def taken_units(
    words: Words, filters: Sequence[CompiledFilter], sid: int, targets: Sequence[ActionTargets]
) -> list[Unit]:
    """Return the units that actions take in a sentence, merged if nested or adjacent. Removals come first."""
    start, end = int(words.starts[sid]), int(words.starts[sid + 1])
    head, first = words.head[start:end], words.first[start:end] - start + 1
    claimed, units = set[int](), list[Unit]()
    actions = [(filters[target.filter].ir.actions[target.action], target) for target in targets if target.words]
    for action, target in sorted(actions, key=lambda pair: pair[0].verb != "remove"):
        for group in _group_words(action.target, set(target.words) - claimed, head, first):
            members = set((np.flatnonzero(np.isin(first, [first[word - 1] for word in group])) + 1).tolist()) - claimed
            if members:
                kind, size = cast("Kind", action.target), len(members)
                units.append(Unit(kind, size, _change(action), size == end - start))
                claimed |= members
    return units


def _group_words(target: ir.TargetKind, ids: set[int], head: Ints, first: Ints) -> list[list[int]]:
    groups: dict[int, list[int]] = {}
    for word in ids:
        group_key = word
        if target == "node":
            group_key = int(first[word - 1])
        elif target == "span":
            while group_key - 1 in ids:
                group_key -= 1
        else:
            while int(head[group_key - 1]) in ids:
                group_key = int(head[group_key - 1])
        groups.setdefault(group_key, []).append(word)
    return [groups[group_key] for group_key in sorted(groups)]


def _change(action: ir.Action) -> Change:
    if action.verb == "remove":
        return REMOVE
    return Replace(action.replacement) if action.replacement is not None else ReplaceByTag(cast("Tag", action.tag))


SCHEMA = pa.schema(
    [
        ("sid", pa.int64()),
        ("text", pa.string()),
        *((name, pa.int32()) for name in ("units", "words", "removed")),
        ("original", pa.string()),
    ]
)
BATCH_ROWS = 1 << 16  # rows per row group


@dataclass(frozen=True, slots=True)
class Edit:
    """An edited sentence: its text on one line, or None if no word remains.

    `units`, `words` and `removed` are counts. `original` is the edited original if the corpus has both as lines.
    """

    sid: int
    text: str | None
    units: int
    words: int
    removed: int
    original: str | None = None


def edits_of_filters(store: Store, filters: Sequence[CompiledFilter], sids: Indices | None = None) -> Iterator[Edit]:
    """Yield the sentences (of `sids`) that actions change, in corpus order. Raises InputError (FICT747)."""
    words, selected = Words.of(store), None if sids is None else set(sids.tolist())
    for sentence in edit_sentences(store, filters):
        if selected is not None and sentence.sid not in selected:
            continue
        units = taken_units(words, filters, sentence.sid, sentence.targets)
        if units:
            removed = sum(unit.size for unit in units if unit.removes)
            yield Edit(sentence.sid, one_line(sentence.text), len(units), sum(unit.size for unit in units), removed)


def one_line(text: str | None) -> str | None:
    """Replace line breaks with spaces, since training reads one sentence per line. Return None for None."""
    return None if text is None else " ".join(text.splitlines())


def write_edits(edits: Iterable[Edit], path: Path) -> None:
    rows: list[Edit] = []
    with pq.ParquetWriter(path, SCHEMA, write_page_checksum=True) as writer:
        for edit in edits:
            rows.append(edit)
            if len(rows) == BATCH_ROWS:
                writer.write_table(_table(rows))
                rows.clear()
        writer.write_table(_table(rows))


def read_edits(path: Path) -> dict[int, Edit]:
    table = pq.read_table(path, schema=SCHEMA)
    return {row[0]: Edit(*row) for row in zip(*(column.to_pylist() for column in table.columns), strict=True)}


def _table(rows: Sequence[Edit]) -> pa.Table:
    columns = list(zip(*map(astuple, rows), strict=True)) or [() for _ in fields(Edit)]
    return pa.table(
        [pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)], schema=SCHEMA
    )


Sink: TypeAlias = Callable[[dict[str, Any]], None]  # receives the texts of a changed sentence
Trees: TypeAlias = Iterable[tuple[int, Rewritten]]  # sentence ids and changed sentences, in corpus order


def rewritten_trees(rewriting: Rewriting, sink: Sink) -> Trees:
    for batch in rewriting.batches():
        columns = {name: batch.rows.column(name) for name in ("sid", "source", "number", "sent_id")}
        for row, rewritten in sorted(batch.changed.items()):
            location = {name: column[row].as_py() for name, column in columns.items()}
            sid = location.pop("sid")
            sink(location | {"before": one_line(rewritten.old_text), "after": one_line(rewritten.text)})
            yield sid, rewritten


def edit_of(sid: int, rewritten: Rewritten) -> Edit:
    draft = rewritten.draft
    removed = draft.stored.size - (0 if draft.dropped else len(draft.order))
    return Edit(sid, one_line(rewritten.text), 1, changed_words(draft), removed)


def changed_words(draft: EditedTree) -> int:
    """Return the number of words that are deleted, inserted or set, plus the smallest number that must have moved."""
    if draft.dropped:
        return draft.stored.size
    moved = draft.moved_words()
    changed = [word for word in draft.changed_words if word not in moved and word not in draft.deleted]
    return len(draft.deleted) + len(draft.inserted) + len(moved) + len(changed)
