"""Random controls of rewrites: do to places of other sentences what was done to those of the matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fictdsl.compiler import CompiledRewrite
from fictdsl.semantics import operations as op
from runner.corpus.rewriting.apply import Rewritten
from runner.corpus.rewriting.draft import Draft
from runner.corpus.rewriting.spelling import spell
from runner.corpus.rewriting.stored import read_stored
from runner.corpus.sentences.arrays import read_lines
from runner.corpus.sentences.common_size import Indices
from runner.corpus.sentences.export import conllu_blocks
from runner.corpus.store.opening import Store
from runner.intervene.remove_random import random_sample_like
from runner.intervene.rewriting.rewritten import Trees


def by_chance(rewrite: CompiledRewrite) -> CompiledRewrite:
    """Replace every `order … by length` of a rewrite with `order … by chance`."""
    return replace(rewrite, operations=tuple(map(_by_chance, rewrite.operations)))


def _by_chance(operation: op.Operation) -> op.Operation:
    if not isinstance(operation, op.Order):
        return operation
    return replace(operation, key="chance", descending=False, head_final=False)


def draw_pairs(
    changed: Indices, free: Indices, ranks: NDArray[np.bytes_], words: NDArray[np.int64]
) -> list[tuple[int, int]]:
    """Return each changed sentence with one of `free` that has as many words, or the nearest number.

    `ranks` and `words` are those of all sentences. Raises ShortError if `free` has too few sentences.
    """
    pool = np.union1d(changed, free)
    drawn = random_sample_like(pool, changed, ranks[pool], words[pool], "lengths", disjoint=True)
    by_length = [sids[np.lexsort((ranks[sids], words[sids]))].tolist() for sids in (changed, drawn)]
    return list(zip(*by_length, strict=True))


def places_changed(store: Store, drafts: Mapping[int, Draft], pairs: Sequence[tuple[int, int]]) -> Trees:
    """Yield each drawn sentence with its places changed as in the draft of its partner, in corpus order.

    `pairs` have a changed sentence and a drawn one each. A sentence in which nothing changes is left out.
    """
    partner = {drawn: changed for changed, drawn in pairs}
    sids = np.array(sorted(partner), dtype=np.int64)
    texts = read_lines(store, sids)
    for sid, block, text in zip(sids.tolist(), conllu_blocks(store, sids), texts, strict=True):
        draft = changed_places(Draft(read_stored(block.removesuffix("\n\n"), text)), drafts[partner[sid]])
        if draft.dropped or draft.changed:
            yield sid, Rewritten(text, draft, None if draft.dropped else spell(draft, frozenset()))


def changed_places(draft: Draft, model: Draft) -> Draft:
    """Move, delete and insert in `draft` what was moved, deleted and inserted at the same places in `model`.

    The stretch of places that changed is shifted to the left if the sentence is too short for it; what still does not
    fit is left out.
    """
    size, (before, after) = draft.stored.size, _unchanged(model)
    length = model.stored.size - before - after
    start = min(before, max(0, size - length))
    place = {before + number: start + number for number in range(1, min(length, size - start) + 1)}
    place |= {word: draft.add(list(model.row(word)), 1) for word in model.inserted}
    stretch = [place[word] for word in model.order[before : len(model.order) - after] if word in place]
    draft.order = [*range(1, start + 1), *stretch, *range(start + length + 1, size + 1)]
    draft.deleted = set(range(1, size + 1)) - set(draft.order)
    draft.dropped = model.dropped or not draft.order
    return draft


def _unchanged(model: Draft) -> tuple[int, int]:
    """Return how many words at the beginning and at the end stand where they stood."""
    order, size = model.order, model.stored.size
    most = min(len(order), size)
    before = next((place for place in range(most) if order[place] != place + 1), most)
    most -= before
    after = next((place for place in range(most) if order[-1 - place] != size - place), most)
    return before, after
