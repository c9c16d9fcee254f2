"""Rewrite the sentences of a store: their edits, the texts before and after, and what became of the matches."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

from fictdsl.compiler import CompiledRewrite
from runner.corpus.rewriting.apply import Rewritten, rewrite_batches
from runner.corpus.rewriting.draft import Draft
from runner.corpus.rewriting.take import Counts
from runner.corpus.sentences.common_size import Indices
from runner.corpus.store.opening import Store
from runner.intervene.edits import Edit, one_line

Sink = Callable[[dict[str, Any]], None]  # receives the texts of a changed sentence
Trees: TypeAlias = Iterable[tuple[int, Rewritten]]  # changed sentences by sid, in corpus order


def rewritten_trees(
    store: Store, rewrites: Sequence[CompiledRewrite], seed: int, counts: Counts, sids: Indices | None, sink: Sink
) -> Trees:
    """Yield the sentences that rewrites change, in corpus order, among `sids` if given.

    `sink` receives the source, number, sent_id and both texts of each. Raises InputError (FICT650) as
    `rewrite_batches` does.
    """
    for batch in rewrite_batches(store, rewrites, seed, counts, sids):
        columns = {name: batch.rows.column(name) for name in ("sid", "source", "number", "sent_id")}
        for row, rewritten in sorted(batch.changed.items()):
            place = {name: column[row].as_py() for name, column in columns.items()}
            sid = place.pop("sid")
            sink(place | {"before": one_line(rewritten.before), "after": one_line(rewritten.text)})
            yield sid, rewritten


def edit_of(sid: int, rewritten: Rewritten) -> Edit:
    """Return the edit of a sentence that rewrites have changed."""
    draft = rewritten.draft
    lost = draft.stored.size - (0 if draft.dropped else len(draft.order))
    return Edit(sid, one_line(rewritten.text), 1, changed_words(draft), lost)


def changed_words(draft: Draft) -> int:
    """Return the number of words that are deleted, inserted or set, and the fewest that moved."""
    if draft.dropped:
        return draft.stored.size
    kept = [word for word in draft.order if word not in draft.inserted]
    stayed = longest_run_in_order(kept)
    changed = [word for word in draft.changed_words if word in stayed]
    return len(draft.deleted) + len(draft.inserted) + len(kept) - len(stayed) + len(changed)


def longest_run_in_order(numbers: Sequence[int]) -> set[int]:
    """Return a longest increasing subsequence of different numbers."""
    ends: list[int] = []  # of the shortest runs of each length, the lowest last number
    before: dict[int, int | None] = {}
    for number in numbers:
        place = bisect_left(ends, number)
        before[number] = ends[place - 1] if place else None
        ends[place : place + 1] = [number]
    run: set[int] = set()
    last = ends[-1] if ends else None
    while last is not None:
        run.add(last)
        last = before[last]
    return run


def write_counts(rewrites: Sequence[CompiledRewrite], counts: Counts, path: Path) -> None:
    """Write what became of the matches of each rewrite, and what changed sentences lost, as JSON."""
    by_rewrite = [
        {"name": rewrite.name, **asdict(count)} for rewrite, count in zip(rewrites, counts.rewrites, strict=True)
    ]
    content = {"rewrites": by_rewrite, "losses": {name: number for name, number in counts.losses.items() if number}}
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
