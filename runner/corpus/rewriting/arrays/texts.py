"""Compute the texts of many sentences after a rewrite that only reorders their words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fictdsl.compiler import CompiledRewrite
from runner.corpus.files.byte_strings import Flags
from runner.corpus.rewriting.arrays.orders import reordered
from runner.corpus.rewriting.arrays.spelling import Reordered, reorder, sentence_texts
from runner.corpus.rewriting.arrays.words import Words, read_words
from runner.corpus.rewriting.chance import Chance
from runner.corpus.rewriting.take import Counts
from runner.corpus.sentences.texts import exact_texts


@dataclass(frozen=True, slots=True)
class ReorderedTexts:
    """The texts of some sentences after a reordering.

    `changed` is a mask of the sentences that changed. `remaining` is a mask of the sentences that must be rewritten one
    by one. `undone` is the number of multiword tokens that are not kept.
    """

    texts: Any
    changed: Flags
    remaining: Flags
    words: Words
    undone: int

    def count(self, counts: Counts, rewrite_index: int, other_indices: Iterable[int]) -> None:
        """Add the sentences that are not `remaining` to `counts`. The matches of the other rewrites are overlapping."""
        sentence_count, changed = int((~self.remaining).sum()), self.changed
        counts.rewrites[rewrite_index].taken += sentence_count
        counts.rewrites[rewrite_index].sentences += sentence_count
        for index in other_indices:
            counts.rewrites[index].overlapping += sentence_count
        counts.changed += int(changed.sum())
        counts.losses["multiword tokens undone"] += self.undone
        counts.losses["empty nodes dropped"] += int(self.words.empty_nodes[changed].sum())
        counts.losses["words whose enhanced edges were dropped"] += int(self.words.enhanced[changed].sum())


def reordered_texts(
    rows: pa.RecordBatch, trees: pa.RecordBatch, rewrite: CompiledRewrite, seed: int, excluded: Flags
) -> ReorderedTexts:
    """Rewrite all sentences except the `excluded` ones and those whose text cannot be rebuilt from their words.

    `rows` has the columns `surface`, `text`, `source` and `number`; `trees` has the columns `conllu` and `rebuilt`.
    """
    words = read_words(trees.column("conllu"))
    remaining = excluded | words.padded | trees.column("rebuilt").is_valid().to_numpy(zero_copy_only=False)

    def chances(action: int) -> Sequence[Chance]:
        positions = zip(rows.column("source").to_pylist(), rows.column("number").to_pylist(), strict=True)
        return [Chance(seed, rewrite.name, action, source, number) for source, number in positions]

    order = reordered(words, rewrite.operations, chances)
    changed = np.zeros(len(words.first), bool)
    changed[words.sentence[order != np.arange(len(order))]] = True
    changed &= ~remaining
    reordered_words = reorder(words, order[changed[words.sentence]])
    texts = exact_texts(rows)
    if changed.any():
        texts = pc.replace_with_mask(texts, pa.array(changed), sentence_texts(reordered_words, rewrite.as_is))
    return ReorderedTexts(texts, changed, remaining, words, _undone(reordered_words, changed))


def _undone(reordered_words: Reordered, changed: Flags) -> int:
    """Return the number of multiword tokens of changed sentences that are not kept."""
    words = reordered_words.words
    return int((changed[words.sentence[words.tokens.first]] & ~reordered_words.kept_tokens).sum())
