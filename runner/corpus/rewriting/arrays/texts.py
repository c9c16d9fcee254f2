"""The texts of many sentences after a rewrite that only reorders them."""

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
from runner.corpus.rewriting.arrays.spelling import Reordered, reorder, spelt
from runner.corpus.rewriting.arrays.words import Words, read_words
from runner.corpus.rewriting.chance import Chance
from runner.corpus.rewriting.take import Counts
from runner.corpus.sentences.texts import exact_texts


@dataclass(frozen=True, slots=True)
class ReorderedTexts:
    """The texts of some sentences, masks of those that changed and of those that are left to do, and what was lost."""

    texts: Any
    changed: Flags
    left: Flags
    words: Words
    undone: int

    def count(self, counts: Counts, rewrite: int, others: Iterable[int]) -> None:
        """Count the sentences that are done, for a rewrite and `others`, which match everywhere too."""
        done, changed = int((~self.left).sum()), self.changed
        counts.rewrites[rewrite].taken += done
        counts.rewrites[rewrite].sentences += done
        for other in others:
            counts.rewrites[other].overlapping += done
        counts.changed += int(changed.sum())
        counts.losses["multiword tokens undone"] += self.undone
        counts.losses["empty nodes dropped"] += int(self.words.empty_nodes[changed].sum())
        counts.losses["words whose enhanced edges were dropped"] += int(self.words.enhanced[changed].sum())


def reordered_texts(
    rows: pa.RecordBatch, trees: pa.RecordBatch, rewrite: CompiledRewrite, seed: int, excluded: Flags
) -> ReorderedTexts:
    """Rewrite all sentences but those `excluded` and those whose words do not spell their text.

    `rows` has the columns `surface`, `text`, `source` and `number`, `trees` the columns `conllu` and `rebuilt`.
    """
    words = read_words(trees.column("conllu"))
    left = excluded | words.odd | trees.column("rebuilt").is_valid().to_numpy(zero_copy_only=False)

    def chances(action: int) -> Sequence[Chance]:
        places = zip(rows.column("source").to_pylist(), rows.column("number").to_pylist(), strict=True)
        return [Chance(seed, rewrite.name, action, source, number) for source, number in places]

    order = reordered(words, rewrite.operations, chances)
    changed = np.zeros(len(words.first), bool)
    changed[words.sentence[order != np.arange(len(order))]] = True
    changed &= ~left
    new = reorder(words, order[changed[words.sentence]])
    texts = exact_texts(rows)
    if changed.any():
        texts = pc.replace_with_mask(texts, pa.array(changed), spelt(new, rewrite.as_is))
    return ReorderedTexts(texts, changed, left, words, _undone(new, changed))


def _undone(new: Reordered, changed: Flags) -> int:
    """Return the number of multiword tokens that do not stay whole."""
    words = new.words
    return int((changed[words.sentence[words.tokens.first]] & ~new.kept).sum())
