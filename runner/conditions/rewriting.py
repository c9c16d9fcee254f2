"""Apply rewrites to a corpus, and draw the sentences of their random controls."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fictdsl.compiler import CompiledRewrite
from fictdsl.semantics import operations as op
from runner.conditions.edits import Edit, one_line
from runner.conditions.samples import random_sample_like
from runner.corpus.rewrite import Rewriting, Rewritten
from runner.corpus.rewrite_actions import Counts
from runner.corpus.rewrite_draft import EditedTree, read_stored
from runner.corpus.rewrite_spelling import spell
from runner.corpus.sentence_arrays import Indices, read_lines
from runner.corpus.sentence_texts import conllu_blocks
from runner.corpus.store import Store

Sink = Callable[[dict[str, Any]], None]  # receives the texts of a changed sentence
Trees: TypeAlias = Iterable[tuple[int, Rewritten]]  # sentence ids and changed sentences, in corpus order


def rewritten_trees(rewriting: Rewriting, sink: Sink) -> Trees:
    """Yield the sentences that rewrites change. `sink` receives the source, number, sent_id and both texts of each."""
    for batch in rewriting.batches():
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
    moved = draft.moved_words()
    changed = [word for word in draft.changed_words if word not in moved and word not in draft.deleted]
    return len(draft.deleted) + len(draft.inserted) + len(moved) + len(changed)


def write_counts(rewrites: Sequence[CompiledRewrite], counts: Counts, path: Path) -> None:
    """Write, as JSON, the match counts of each rewrite and the losses of the changed sentences."""
    rewrite_counts = [
        {"name": rewrite.name, **asdict(count)} for rewrite, count in zip(rewrites, counts.rewrites, strict=True)
    ]
    content = {"rewrites": rewrite_counts, "losses": {name: number for name, number in counts.losses.items() if number}}
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def with_random_order(rewrite: CompiledRewrite) -> CompiledRewrite:
    """Replace every `order … by length` of a rewrite with `order … by chance`."""
    return replace(rewrite, operations=tuple(map(_randomly_ordered, rewrite.operations)))


def _randomly_ordered(operation: op.Operation) -> op.Operation:
    if not isinstance(operation, op.Order):
        return operation
    return replace(operation, key="chance", descending=False, head_final=False)


def draw_pairs(
    changed: Indices, free: Indices, ranks: NDArray[np.bytes_], words: NDArray[np.int64]
) -> list[tuple[int, int]]:
    """Pair each changed sentence with a sentence of `free` that has as many words, or the nearest number.

    `ranks` and `words` are those of all sentences. Raises TooFewError if `free` has too few sentences.
    """
    pool = np.union1d(changed, free)
    drawn = random_sample_like(pool, changed, ranks[pool], words[pool], "lengths", disjoint=True)
    by_length = [sids[np.lexsort((ranks[sids], words[sids]))].tolist() for sids in (changed, drawn)]
    return list(zip(*by_length, strict=True))


def trees_with_changes(store: Store, changed: Mapping[int, Rewritten], pairs: Sequence[tuple[int, int]]) -> Trees:
    """Yield each drawn sentence with the changes of its partner in `changed` at the same positions, in corpus order.

    Each of `pairs` is a changed and a drawn sentence. A drawn sentence in which nothing changes is omitted.
    """
    partner = {drawn: changed_sid for changed_sid, drawn in pairs}
    sids = np.array(sorted(partner), dtype=np.int64)
    texts = read_lines(store, sids)
    for sid, block, text in zip(sids.tolist(), conllu_blocks(store, sids), texts, strict=True):
        rewritten = changed[partner[sid]]
        draft = with_changes(EditedTree(read_stored(block.removesuffix("\n\n"), text)), rewritten.draft)
        if draft.dropped or draft.changed:
            yield sid, Rewritten(text, draft, None if draft.dropped else spell(draft, rewritten.as_is), rewritten.as_is)


def with_changes(draft: EditedTree, template: EditedTree) -> EditedTree:
    """Move, delete and insert words of `draft` at the positions at which `template` does.

    If the sentence is too short, the stretch of changed positions is shifted to the left, and changes that still do not
    fit are omitted. Values that `template` sets are not copied.
    """
    word_count, (prefix, suffix) = draft.stored.size, _unchanged_ends(template)
    length = template.stored.size - prefix - suffix
    start = min(prefix, max(0, word_count - length))
    new_word = {prefix + number: start + number for number in range(1, min(length, word_count - start) + 1)}
    new_word |= {word: draft.add(list(template.row(word)), 1) for word in template.inserted}
    changed_words = [
        new_word[word] for word in template.order[prefix : len(template.order) - suffix] if word in new_word
    ]
    draft.order = [*range(1, start + 1), *changed_words, *range(start + length + 1, word_count + 1)]
    draft.deleted = set(range(1, word_count + 1)) - set(draft.order)
    draft.dropped = template.dropped or not draft.order
    return draft


def _unchanged_ends(draft: EditedTree) -> tuple[int, int]:
    """Return the numbers of words at the beginning and at the end that keep their positions."""
    order, size = draft.order, draft.stored.size
    limit = min(len(order), size)
    prefix = next((index for index in range(limit) if order[index] != index + 1), limit)
    limit -= prefix
    suffix = next((index for index in range(limit) if order[-1 - index] != size - index), limit)
    return prefix, suffix


Piece: TypeAlias = tuple[str, bool]  # words, and whether they differ


def word_changes(before: str, after: str) -> Iterator[tuple[list[str], list[str], bool]]:
    """Align two versions of a sentence, and yield for each stretch the words of both and whether they differ."""
    old, new = before.split(" "), after.split(" ")
    for tag, old_start, old_end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield old[old_start:old_end], new[new_start:new_end], tag != "equal"


def marked_pieces(before: str, after: str) -> tuple[list[Piece], list[Piece]]:
    """Return the non-empty stretches of each version, and whether each of them differs."""
    stretches = list(word_changes(before, after))
    old = [(" ".join(words), differs) for words, _, differs in stretches if words]
    new = [(" ".join(words), differs) for _, words, differs in stretches if words]
    return old, new
