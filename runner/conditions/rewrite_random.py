"""`rewrite-random = "CONDITION"`: random sentences changed, as many as another condition rewrites."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from fictdsl.semantics import operations as op
from runner.conditions.condition import BaseCorpus, Condition
from runner.conditions.intervention import SEED, TreeEdit, word_edits_of
from runner.conditions.random_controls import RandomControl
from runner.conditions.shares import remaining_after_removal, removal_content, sentences_to_rewrite
from runner.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fictdsl.compiler import CompiledRewrite
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from runner.conditions.edits import Trees
    from runner.corpus.rewrite import Rewritten
    from runner.corpus.rewrite_draft import EditedTree
    from runner.corpus.sentence_arrays import Indices
    from runner.corpus.store import Store


class RewriteRandom(RandomControl, TreeEdit[str]):
    """Change random sentences where another condition changes its own, or the same with random orders for `order`."""

    key = "rewrite-random"
    usage = 'rewrite-random = "CONDITION"'
    doc = "with as many other sentences changed at the same places, or with words in a random order"
    controls = ("rewrite",)
    options: ClassVar = {"seed": SEED}

    def check(self, condition: Condition) -> Iterator[Diagnostic]:
        rewrites = condition.other(str(condition.values.get(self.key))).rewrites
        without_order = [rewrite for rewrite in rewrites if not _has_order(rewrite)]
        if without_order and len(without_order) < len(rewrites):
            reason = "it is combined with a rewrite with `order`, which needs another kind of control"
            yield condition.problem("FICT656", self.key, rewrite=without_order[0].name, reason=reason)
        for rewrite in rewrites if len(without_order) == len(rewrites) else ():
            if rewrite.matches_everywhere or any(map(_permutes_sentence, rewrite.operations)):
                reason = "it permutes whole sentences, so no position is unchanged"
                yield condition.problem("FICT656", self.key, rewrite=rewrite.name, reason=reason)

    def _other_rewrite(self, other: Condition) -> TreeEdit[Any]:
        return next(edit for edit in word_edits_of(other) if isinstance(edit, TreeEdit))

    def content(self, condition: Condition) -> dict[str, Any]:
        other = self.other(condition)
        like = self._other_rewrite(other).content(other)
        draws = not any(map(_has_order, other.rewrites))
        removal = removal_content(condition) if draws else None
        own_removal = {} if removal is None else {"after": removal}
        return {"random": like, "seed": condition.values["seed"]} | own_removal | condition.redrawn

    def keeps_originals(self, condition: Condition) -> bool:
        other = self.other(condition)
        return self._other_rewrite(other).keeps_originals(other)

    def describe(self, condition: Condition) -> str:
        if any(map(_has_order, self.other(condition).rewrites)):
            return f"sentences rewritten as in {self.of(condition)}, but with words in a random order"
        return f"as many random sentences changed as in {self.of(condition)}, at the same positions"

    def trees(self, condition: Condition, store: Store, base: BaseCorpus, folder: Path | None) -> Trees:
        from runner.conditions.edits import rewritten_trees
        from runner.conditions.samples import TooFewError
        from runner.corpus.rewrite import Rewriting

        other = self.other(condition)
        rewrites = other.rewrites
        sids = sentences_to_rewrite(other, other.filters_of(*self.controls), base)
        if any(map(_has_order, rewrites)):
            randomized = [with_random_order(rewrite) for rewrite in rewrites]
            yield from rewritten_trees(Rewriting(store, randomized, self.seed(condition), sids=sids), lambda _: None)
            return
        changed = dict(Rewriting(store, rewrites, other.values["seed"], sids=sids).changed())
        try:
            pairs = draw_pairs(*self._draw_inputs(condition, changed, base), base.sentences.words)
        except TooFewError as error:
            raise InputError(self.shortage(condition, error)) from error
        yield from trees_with_changes(store, changed, pairs)

    def _draw_inputs(self, condition: Condition, changed: Any, base: BaseCorpus) -> tuple[Any, Any, Any]:
        import numpy as np

        remaining, filters = remaining_after_removal(condition, base), self.other(condition).filters_of(*self.controls)
        free = np.setdiff1d(base.everything() if remaining is None else remaining, base.matching(filters))
        return np.array(sorted(changed), dtype=np.int64), free, base.ranks(f"{self.key}:{self.seed(condition)}")


def _has_order(rewrite: CompiledRewrite) -> bool:
    return any(isinstance(operation, op.Order) for operation in rewrite.operations)


def _permutes_sentence(operation: op.Operation) -> bool:
    permutes = isinstance(operation, op.Shuffle | op.Reverse | op.Interleave)
    return permutes and any(target.kind == "sentence" for target in op.targets_of(operation))


def with_random_order(rewrite: CompiledRewrite) -> CompiledRewrite:
    operations = (
        replace(each, key="chance", descending=False, head_final=False) if isinstance(each, op.Order) else each
        for each in rewrite.operations
    )
    return replace(rewrite, operations=tuple(operations))


def draw_pairs(changed: Indices, free: Indices, ranks: NDArray[Any], words: Indices) -> list[tuple[int, int]]:
    """Pair each changed sentence with one of `free` that has as many words, or the nearest number.

    `ranks` and `words` are those of all sentences. Raises TooFewError if `free` has too few.
    """
    import numpy as np

    from runner.conditions.samples import random_sample_like

    pool = np.union1d(changed, free)
    drawn = random_sample_like(pool, changed, ranks[pool], words[pool], "lengths", disjoint=True)
    by_length = [sids[np.lexsort((ranks[sids], words[sids]))].tolist() for sids in (changed, drawn)]
    return list(zip(*by_length, strict=True))


def trees_with_changes(store: Store, changed: Mapping[int, Rewritten], pairs: Sequence[tuple[int, int]]) -> Trees:
    import numpy as np

    from runner.corpus.rewrite import Rewritten
    from runner.corpus.rewrite_draft import EditedTree, read_stored
    from runner.corpus.rewrite_spelling import spell
    from runner.corpus.sentence_arrays import read_lines
    from runner.corpus.sentence_texts import conllu_blocks

    partner = {drawn: changed_sid for changed_sid, drawn in pairs}
    sids = np.array(sorted(partner), dtype=np.int64)
    texts = read_lines(store, sids)
    for sid, block, text in zip(sids.tolist(), conllu_blocks(store, sids), texts, strict=True):
        rewritten = changed[partner[sid]]
        draft = with_changes(EditedTree(read_stored(block.removesuffix("\n\n"), text)), rewritten.draft)
        if draft.dropped or draft.changed:
            yield sid, Rewritten(text, draft, None if draft.dropped else spell(draft, rewritten.as_is), rewritten.as_is)


def with_changes(draft: EditedTree, template: EditedTree) -> EditedTree:
    """Move, delete and insert words where `template` does, shifted to the left in a short sentence."""
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
    order, size = draft.order, draft.stored.size
    limit = min(len(order), size)
    prefix = next((index for index in range(limit) if order[index] != index + 1), limit)
    limit -= prefix
    suffix = next((index for index in range(limit) if order[-1 - index] != size - index), limit)
    return prefix, suffix


INTERVENTION = RewriteRandom()
