"""Random controls for rewrites: apply the changes of rewritten sentences at the same positions in other sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fictdsl.compiler import CompiledRewrite
from fictdsl.semantics import operations as op
from runner.corpus.export import conllu_blocks
from runner.corpus.rewrite import Rewritten
from runner.corpus.rewrite_draft import EditedTree, read_stored
from runner.corpus.rewrite_spelling import spell
from runner.corpus.sentence_arrays import Indices, read_lines
from runner.corpus.store import Store
from runner.intervene.remove_random import random_sample_like
from runner.intervene.rewriting.rewritten import Trees


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
