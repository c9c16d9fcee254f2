"""The corpus of a condition: the sentences that it removes and edits, then its lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runner.conditions.edits import Edit
from runner.corpus.sentence_arrays import Indices, Sentences, first_by_rank, read_lines
from runner.corpus.store import Store

Flags: TypeAlias = NDArray[np.bool_]


def _nothing() -> Indices:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True)
class ConditionCorpus:
    """The sentences of a condition: those that it removes, those that are `emptied` by edits, and then its lines.

    `words` are lengths after edits, and `originals` the length of the original before an edited sentence, or 0. After
    sampling, `sids` has the sentence of each line, −k − 1 for line k of an injected text, and `edited` is False for an
    original. `replaced` are the sentences that injected lines replace; `stages` have a name and their first line.
    """

    removed: Indices
    emptied: Indices
    words: Indices  # (sentences of the base,)
    originals: Indices  # (sentences of the base,)
    by: Literal["lines", "tokens"]
    edits: Mapping[int, Edit]
    sids: Indices = field(default_factory=_nothing)  # (lines,)
    edited: Flags = field(default_factory=lambda: np.empty(0, dtype=bool))  # (lines,)
    texts: list[str] = field(default_factory=list)  # (lines,), empty without `with_texts`
    replaced: Indices = field(default_factory=_nothing)
    injection: Mapping[str, float] = field(default_factory=dict)  # counts of what was injected and replaced
    stages: tuple[tuple[str, int], ...] = ()

    @property
    def excluded(self) -> Indices:
        return np.union1d(self.removed, self.emptied)

    @property
    def remaining(self) -> Indices:
        return np.delete(np.arange(len(self.words), dtype=np.int64), self.excluded)

    @property
    def sizes(self) -> Indices:
        """The number of lines or words of each sentence. A sentence and its original are kept or removed together."""
        return 1 + (self.originals > 0) if self.by == "lines" else self.words + self.originals

    @property
    def size(self) -> int:
        return int(self.sizes[self.remaining].sum())

    def restored(self, ranks: Any, count: int) -> ConditionCorpus:
        missing = count - self.size
        if missing <= 0:
            return self
        restorable = np.setdiff1d(self.removed, self.emptied)
        order = restorable[np.argsort(ranks[restorable], kind="stable")]
        restored_count = int(np.searchsorted(np.cumsum(self.sizes[order]), missing)) + 1
        return replace(self, removed=np.setdiff1d(self.removed, order[:restored_count]))

    def sample(self, ranks: Any, count: int) -> ConditionCorpus:
        """Return a copy with lines: the remaining sentences of lowest rank, each after its original if that is kept."""
        remaining = self.remaining
        sampled = first_by_rank(remaining, ranks[remaining], self.sizes[remaining], count)
        line_counts = 1 + (self.originals[sampled] > 0)
        edited = np.ones(int(line_counts.sum()), dtype=bool)
        edited[(np.cumsum(line_counts) - line_counts)[line_counts == 2]] = False
        return replace(self, sids=np.repeat(sampled, line_counts), edited=edited)

    def with_texts(self, store: Store) -> ConditionCorpus:
        sids = self.sids[self.edited]
        originals = dict(zip(sids.tolist(), read_lines(store, sids), strict=True))
        originals |= {sid: edit.original for sid, edit in self.edits.items() if edit.original is not None}
        texts = [
            str(self.edits[sid].text) if is_edited and sid in self.edits else originals[sid]
            for sid, is_edited in zip(self.sids.tolist(), self.edited.tolist(), strict=True)
        ]
        return replace(self, texts=texts)

    def selected(self, order: Indices) -> ConditionCorpus:
        texts = [self.texts[index] for index in order.tolist()]
        return replace(self, sids=self.sids[order], texts=texts, edited=self.edited[order])

    @property
    def lengths(self) -> Indices:
        is_base = self.sids >= 0
        sids = self.sids[is_base]
        return np.where(self.edited[is_base], self.words[sids], self.originals[sids])

    @property
    def edited_lines(self) -> list[Edit]:
        sids = set(self.sids[(self.sids >= 0) & self.edited].tolist())
        return [edit for sid, edit in self.edits.items() if sid in sids]

    @property
    def is_reordered(self) -> bool:
        return bool((np.diff(self.sids[self.sids >= 0]) < 0).any())

    @property
    def left_out(self) -> int:
        present = self.sids[self.sids >= 0]
        return len(self.words) - len(np.unique(np.concatenate([self.excluded, present, self.replaced])))

    def stats(self, base: Sentences) -> dict[str, float]:
        """Return the size of the corpus (words of trees, tokens of injected text), and counts of what is changed."""
        edits, excluded = self.edited_lines, self.excluded
        counts: dict[str, float] = {
            "sentences": len(self.sids),
            "words": int(self.lengths.sum()) + int(self.injection.get("injected_tokens", 0)),
            "removed_sentences": len(excluded),
            "removed_words": int(base.words[excluded].sum()),
        }
        if edits:
            counts["edited_sentences"] = len(edits)
            counts["edited_units"] = sum(edit.units for edit in edits)
            counts["edited_words"] = sum(edit.words for edit in edits)
        return counts | dict(self.injection)
