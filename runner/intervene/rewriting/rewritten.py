"""Rewrite the sentences of a store, and return their edits, their texts before and after, and match counts."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

from fictdsl.compiler import CompiledRewrite
from runner.corpus.rewrite import Rewritten, rewrite_batches
from runner.corpus.rewrite_actions import Counts
from runner.corpus.rewrite_draft import EditedTree
from runner.corpus.sentence_arrays import Indices
from runner.corpus.store import Store
from runner.intervene.edits import Edit, one_line

Sink = Callable[[dict[str, Any]], None]  # receives the texts of a changed sentence
Trees: TypeAlias = Iterable[tuple[int, Rewritten]]  # sentence ids and changed sentences, in corpus order


def rewritten_trees(
    store: Store, rewrites: Sequence[CompiledRewrite], seed: int, counts: Counts, sids: Indices | None, sink: Sink
) -> Trees:
    """Yield the sentences that rewrites change, in corpus order. With `sids`, yield only these sentences.

    `sink` receives the source, number, sent_id and both texts of each. Raises InputError (FICT650) as
    `rewrite_batches` does.
    """
    for batch in rewrite_batches(store, rewrites, seed, counts, sids):
        columns = {name: batch.rows.column(name) for name in ("sid", "source", "number", "sent_id")}
        for row, rewritten in sorted(batch.changed.items()):
            location = {name: column[row].as_py() for name, column in columns.items()}
            sid = location.pop("sid")
            sink(location | {"before": one_line(rewritten.old_text), "after": one_line(rewritten.text)})
            yield sid, rewritten


def edit_of(sid: int, rewritten: Rewritten) -> Edit:
    """Return the edit of a sentence that rewrites have changed."""
    draft = rewritten.draft
    removed = draft.stored.size - (0 if draft.dropped else len(draft.order))
    return Edit(sid, one_line(rewritten.text), 1, changed_words(draft), removed)


def changed_words(draft: EditedTree) -> int:
    """Return the number of words that are deleted, inserted or set, plus the smallest number that must have moved."""
    if draft.dropped:
        return draft.stored.size
    kept = [word for word in draft.order if word not in draft.inserted]
    stayed = longest_increasing_subsequence(kept)
    changed = [word for word in draft.changed_words if word in stayed]
    return len(draft.deleted) + len(draft.inserted) + len(kept) - len(stayed) + len(changed)


def longest_increasing_subsequence(numbers: Sequence[int]) -> set[int]:
    """Return a longest increasing subsequence of distinct numbers."""
    ends: list[int] = []  # ends[k] is the smallest last number of an increasing subsequence of length k + 1
    predecessor: dict[int, int | None] = {}
    for number in numbers:
        index = bisect_left(ends, number)
        predecessor[number] = ends[index - 1] if index else None
        ends[index : index + 1] = [number]
    subsequence: set[int] = set()
    current = ends[-1] if ends else None
    while current is not None:
        subsequence.add(current)
        current = predecessor[current]
    return subsequence


def write_counts(rewrites: Sequence[CompiledRewrite], counts: Counts, path: Path) -> None:
    """Write, as JSON, the match counts of each rewrite and the losses of the changed sentences."""
    rewrite_counts = [
        {"name": rewrite.name, **asdict(count)} for rewrite, count in zip(rewrites, counts.rewrites, strict=True)
    ]
    content = {"rewrites": rewrite_counts, "losses": {name: number for name, number in counts.losses.items() if number}}
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
