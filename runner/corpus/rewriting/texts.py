"""Compute the texts of a store after rewrites."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fictdsl.compiler import CompiledRewrite
from runner.corpus.rewriting.actions import SentenceSeed
from runner.corpus.rewriting.apply import POSITION_COLUMNS, SEED_COLUMNS, rewrite_lazily, rewrite_sentence
from runner.corpus.rewriting.candidates import candidates_everywhere, candidates_in
from runner.corpus.rewriting.take import Candidate, Counts
from runner.corpus.sentences.texts import aligned, exact_texts, read_batches
from runner.corpus.store.opening import Store

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class TextBatch:
    """Consecutive sentences of a store.

    `rows` has their columns (sid, surface, text, and those of the position). `changed` has the indices of the sentences
    that changed, ascending. `new_texts` has the texts of some of them after all rewrites, by row, or None if they are
    dropped, and `other_texts` the texts of all sentences that are not in `new_texts`.
    """

    rows: pa.RecordBatch
    other_texts: pa.Array
    new_texts: Mapping[int, str | None]
    changed: Sequence[int]

    @property
    def texts(self) -> pa.Array:
        """The text of each sentence after all rewrites, or null if it is dropped."""
        return _replaced(self.other_texts, self.new_texts)


def rewritten_texts(
    store: Store,
    rewrites: Sequence[CompiledRewrite],
    seed: int,
    counts: Counts,
    sids: Any = None,
    chunks: Sequence[int] | None = None,
    *,
    position_columns: Sequence[str] = POSITION_COLUMNS,
) -> Iterator[TextBatch]:
    """Yield all sentences of a store in corpus order, or those of `sids` (sorted integers), after all rewrites.

    Sentences that are only reordered are rewritten in batches. `position_columns` are those of `rewrite_lazily`. Raises
    the errors of `rewrite_batches`.
    """
    if _reorders_everything(rewrites):
        reordering = _Reordering(store, rewrites, seed, counts, position_columns)
        for chunk in range(store.info.chunks) if chunks is None else chunks:
            yield from reordering.batches(chunk, sids)
        return
    for batch, changes in rewrite_lazily(
        store, rewrites, seed, counts, sids, chunks, position_columns=position_columns
    ):
        changed = {row: rewritten.text for row, rewritten in changes}
        yield TextBatch(batch.rows, batch.texts, changed, sorted(changed))


def _reorders_everything(rewrites: Sequence[CompiledRewrite]) -> bool:
    """Return whether the first rewrite that matches every sentence only reorders it."""
    everywhere = candidates_everywhere(rewrites)
    if not everywhere:
        return False  # without an import that takes as long as rewriting several hundred sentences
    from runner.corpus.rewriting.arrays.orders import only_reorders

    return only_reorders(rewrites[everywhere[0].rewrite_index])


class _Reordering:
    """Rewrites texts if the first rewrite that matches every sentence only reorders it."""

    def __init__(
        self,
        store: Store,
        rewrites: Sequence[CompiledRewrite],
        seed: int,
        counts: Counts,
        position_columns: Sequence[str],
    ) -> None:
        self._store, self._rewrites, self._seed, self._counts = store, rewrites, seed, counts
        self._columns = ("surface", "text", *dict.fromkeys((*SEED_COLUMNS, *position_columns)))
        self._everywhere = candidates_everywhere(rewrites)

    def batches(self, chunk: int, sids: Any) -> Iterator[TextBatch]:
        """Yield the sentences of a chunk."""
        matches = candidates_in(self._store, self._rewrites, chunk)
        row_batches = read_batches(self._store, "sentences", self._columns, sids, [chunk])
        tree_batches = read_batches(self._store, "raw", ("conllu", "rebuilt"), sids, [chunk])
        for rows, trees in aligned(row_batches, tree_batches):
            yield self._rewritten(rows, trees, matches)
            self._counts.sentences += len(rows)

    def _rewritten(
        self, rows: pa.RecordBatch, trees: pa.RecordBatch, matches: Mapping[int, Sequence[Candidate]]
    ) -> TextBatch:
        """Rewrite the sentences that have no other matches together, and the remaining sentences one by one."""
        import numpy as np

        from runner.corpus.rewriting.arrays.texts import reordered_texts

        first, *others = (candidate.rewrite_index for candidate in self._everywhere)
        matched = np.isin(rows.column("sid").to_numpy(), np.fromiter(matches, np.int64, len(matches)))
        result = reordered_texts(rows, trees, self._rewrites[first], self._seed, matched)
        result.count(self._counts, first, others)
        texts, changed = result.texts, np.flatnonzero(result.changed).tolist()
        new_texts = self._rewritten_one_by_one(rows, trees, np.flatnonzero(result.remaining).tolist(), matches)
        return TextBatch(rows, texts, new_texts, sorted([*changed, *new_texts]))

    def _rewritten_one_by_one(
        self,
        rows: pa.RecordBatch,
        trees: pa.RecordBatch,
        indices: Sequence[int],
        matches: Mapping[int, Sequence[Candidate]],
    ) -> dict[int, str | None]:
        """Rewrite the sentences in some rows. Return the new texts of the sentences that change, by row."""
        texts, changed = exact_texts(rows), {}
        for row in indices:
            sid, source, number = (rows.column(name)[row].as_py() for name in ("sid", *SEED_COLUMNS))
            candidates, seed = [*matches.get(sid, ()), *self._everywhere], SentenceSeed(self._seed, source, number)
            block, text = trees.column("conllu")[row].as_py(), texts[row].as_py()
            rewritten = rewrite_sentence(block, text, self._rewrites, candidates, seed, self._counts)
            if rewritten is not None:
                changed[row] = rewritten.text
        return changed


def _replaced(texts: pa.Array, changed: Mapping[int, str | None]) -> pa.Array:
    """Return `texts` with the new texts of the rows in `changed`. None becomes null."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    if not changed:
        return texts
    mask = np.zeros(len(texts), bool)
    mask[list(changed)] = True
    return pc.replace_with_mask(texts, pa.array(mask), pa.array([changed[row] for row in sorted(changed)], pa.string()))
