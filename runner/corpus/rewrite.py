"""Apply rewrites to a store, chunk by chunk. Sentences that do not change keep their bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Any

from fictdsl.compiler import CompiledRewrite
from runner.corpus.matches import run_in_parts, run_select
from runner.corpus.rewrite_actions import Candidate, Counts, RewriteCounts, SentenceSeed, apply_matches, needs_chance
from runner.corpus.rewrite_draft import EditedTree, read_stored
from runner.corpus.rewrite_spelling import Spelling, spell
from runner.corpus.sentence_texts import aligned, exact_texts, read_batches, rows_among
from runner.corpus.store import Store

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from runner.corpus.sentence_arrays import Indices


def candidates_in(store: Store, rewrites: Sequence[CompiledRewrite], chunk: int) -> dict[int, list[Candidate]]:
    statements = [
        (index, store.statement(rewrite.matching))
        for index, rewrite in enumerate(rewrites)
        if not rewrite.matches_everywhere
    ]
    if not statements:
        return {}
    features = {name for _, statement in statements for name in statement.features}
    tables = {table for _, statement in statements for table in statement.tables}

    def work(connection: duckdb.DuckDBPyConnection) -> list[tuple[int, pa.Table]]:
        return [(index, run_select(connection, statement.text)) for index, statement in statements]

    candidates: dict[int, list[Candidate]] = {}
    for part in run_in_parts(store, features, tables, work, [chunk]):
        for index, table in part:
            for sid, *words in zip(*(column.to_pylist() for column in table.columns), strict=True):
                candidate = Candidate(index, tuple(word or 0 for word in words))
                candidates.setdefault(sid, []).append(candidate)
    return candidates


def candidates_everywhere(rewrites: Sequence[CompiledRewrite]) -> list[Candidate]:
    """Return a candidate for each rewrite that matches every sentence. It is the same in all sentences."""
    return [Candidate(index, ()) for index, rewrite in enumerate(rewrites) if rewrite.matches_everywhere]


POSITION_COLUMNS = ("source", "number", "sent_id")
SEED_COLUMNS = ("source", "number")  # the columns of `SentenceSeed`
_TREE_BATCH_ROWS = 1_024  # small, so that the memory of one batch is reused for the next
_FEW = 1 / 32  # share of matching sentences up to which DuckDB reads their trees faster than Arrow reads all trees


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A sentence that rewrites have changed: the text before, and the draft and its spelling after.

    `as_is` has `case` and `article` if the rewrites do not adapt them.
    """

    old_text: str
    draft: EditedTree
    spelling: Spelling | None  # None if the sentence is dropped
    as_is: frozenset[str] = frozenset()

    @property
    def text(self) -> str | None:
        return None if self.spelling is None else self.spelling.text

    @property
    def conllu(self) -> str | None:
        if self.spelling is None:
            return None
        from runner.corpus.rewrite_spelling import as_conllu  # lazy: texts do not need it

        return as_conllu(self.draft, self.spelling)


@dataclass(frozen=True, slots=True)
class RewrittenBatch:
    """Consecutive sentences of a store. `changed` has the sentences that rewrites have changed, by row.

    `texts` and `trees` are the texts and trees in the store. `trees` is None unless trees were requested.
    """

    rows: pa.RecordBatch  # sid, surface, text, and the columns of the position
    texts: pa.Array
    trees: pa.Array | None
    changed: dict[int, Rewritten]


def new_counts(rewrites: Sequence[CompiledRewrite]) -> Counts:
    return Counts([RewriteCounts() for _ in rewrites])


def rewrite_batches(
    store: Store,
    rewrites: Sequence[CompiledRewrite],
    seed: int,
    counts: Counts,
    sids: Any = None,
    chunks: Sequence[int] | None = None,
    *,
    with_trees: bool = False,
    position_columns: Sequence[str] = POSITION_COLUMNS,
) -> Iterator[RewrittenBatch]:
    """Yield all sentences of a store in corpus order, or those of `sids` (sorted integers), after all rewrites.

    Adds to `counts`. The trees of sentences without a match are read only if `with_trees`. `position_columns` are those
    of `rewrite_lazily`. Raises InputError (FICT650) if a rewrite inflects words and lemminflect is not installed.
    """
    batches = rewrite_lazily(
        store, rewrites, seed, counts, sids, chunks, with_trees=with_trees, position_columns=position_columns
    )
    for batch, changes in batches:
        batch.changed.update(changes)
        yield batch


def rewrite_lazily(
    store: Store,
    rewrites: Sequence[CompiledRewrite],
    seed: int,
    counts: Counts,
    sids: Any = None,
    chunks: Sequence[int] | None = None,
    *,
    with_trees: bool = False,
    position_columns: Sequence[str] = POSITION_COLUMNS,
) -> Iterator[tuple[RewrittenBatch, Iterator[tuple[int, Rewritten]]]]:
    """Yield the batches of `rewrite_batches` without changes, each with an iterator over its changed rows.

    `position_columns` are the columns of the position to read; those of `SentenceSeed` are also read if a rewrite needs
    them. Exhaust the iterator before the next batch. A caller that needs only a part of each change need not keep all
    changes in memory.
    """
    if any(map(needs_chance, rewrites)):
        position_columns = tuple(dict.fromkeys((*SEED_COLUMNS, *position_columns)))
    for chunk in range(store.info.chunks) if chunks is None else chunks:
        rewriting = _Rewriting(store, rewrites, seed, counts, sids, chunk)
        for rows, trees in _sentences(store, chunk, position_columns, sids, with_trees):
            batch = RewrittenBatch(rows, exact_texts(rows), trees, {})
            yield batch, rewriting.changes(batch)
            counts.sentences += len(rows)


class _Rewriting:
    def __init__(
        self, store: Store, rewrites: Sequence[CompiledRewrite], seed: int, counts: Counts, sids: Any, chunk: int
    ) -> None:
        import numpy as np

        self._rewrites, self._seed, self._counts = rewrites, seed, counts
        self._needs_chance = any(map(needs_chance, rewrites))
        self._everywhere, self._matches = candidates_everywhere(rewrites), candidates_in(store, rewrites, chunk)
        self._matched = None if self._everywhere else np.array(sorted(self._matches), np.int64)
        self._blocks = _blocks(store, chunk, self._matched, sids)

    def changes(self, batch: RewrittenBatch) -> Iterator[tuple[int, Rewritten]]:
        indices = _row_indices(batch.rows, self._matched)
        rows = indices.to_pylist()
        sids, texts = (column.take(indices).to_pylist() for column in (batch.rows.column("sid"), batch.texts))
        blocks = self._blocks if batch.trees is None else (batch.trees[row].as_py() for row in rows)
        for row, sid, text, seed in zip(rows, sids, texts, self._seeds(batch.rows, indices), strict=False):
            candidates = [*self._matches.get(sid, ()), *self._everywhere]
            rewritten = rewrite_sentence(next(blocks), text, self._rewrites, candidates, seed, self._counts)
            if rewritten is not None:
                yield row, rewritten

    def _seeds(self, rows: pa.RecordBatch, indices: pa.Array) -> Iterable[SentenceSeed]:
        """Return the seed of each of some rows. It is the same for all if no rewrite needs chance."""
        if not self._needs_chance:
            return repeat(SentenceSeed(self._seed, "", 0))
        sources, numbers = (rows.column(name).take(indices).to_pylist() for name in SEED_COLUMNS)
        return (SentenceSeed(self._seed, *position) for position in zip(sources, numbers, strict=True))


def rewrite_sentence(
    block: str,
    text: str,
    rewrites: Sequence[CompiledRewrite],
    candidates: Sequence[Candidate],
    seed: SentenceSeed,
    counts: Counts,
) -> Rewritten | None:
    """Apply rewrites to a sentence, given its CoNLL-U, its exact text and all matches, and add to `counts`.

    Return None if it does not change.
    """
    stored = read_stored(block, text)
    draft, as_is = apply_matches(stored, rewrites, candidates, seed, counts)
    if not draft.changed:
        return None
    counts.changed += not draft.dropped
    counts.dropped += draft.dropped
    if draft.dropped:
        return Rewritten(text, draft, None, as_is)
    spelling = spell(draft, as_is)
    counts.losses["multiword tokens undone"] += spelling.undone
    counts.losses["empty nodes dropped"] += stored.empty_nodes
    counts.losses["words whose enhanced edges were dropped"] += stored.enhanced
    return Rewritten(text, draft, spelling, as_is)


def _sentences(
    store: Store, chunk: int, position_columns: Sequence[str], sids: Any, with_trees: bool
) -> Iterator[tuple[pa.RecordBatch, pa.Array | None]]:
    sentences = read_batches(store, "sentences", ("surface", "text", *position_columns), sids, [chunk])
    if not with_trees:
        yield from ((rows, None) for rows in sentences)
        return
    for rows, trees in aligned(sentences, read_batches(store, "raw", ("conllu",), sids, [chunk])):
        yield rows, trees.column("conllu")


def _row_indices(batch: pa.RecordBatch, matched: Indices | None) -> pa.Array:
    import numpy as np
    import pyarrow as pa

    return pa.array(np.arange(len(batch)) if matched is None else rows_among(batch.column("sid").to_numpy(), matched))


def _blocks(store: Store, chunk: int, matched: Indices | None, sids: Any) -> Iterator[str]:
    import numpy as np

    wanted = sids if matched is None else matched if sids is None else np.intersect1d(matched, sids)
    if matched is not None and len(wanted) <= _FEW * len(store.sids([chunk])):
        yield from _selected_blocks(store, chunk, wanted.tolist())
        return
    for batch in read_batches(store, "raw", ("conllu",), wanted, [chunk], rows=_TREE_BATCH_ROWS):
        yield from batch.column("conllu").to_pylist()


def _selected_blocks(store: Store, chunk: int, sids: Sequence[int]) -> Iterator[str]:
    """Yield the CoNLL-U of some sentences of a chunk.

    In DuckDB, a join is several times faster than IN with a long list of literals.
    """
    query = "SELECT conllu FROM raw SEMI JOIN (SELECT unnest($1::BIGINT[]) AS sid) USING (sid) ORDER BY sid"
    for part in run_in_parts(store, (), ("raw",), lambda connection: run_select(connection, query, [sids]), [chunk]):
        yield from part.column("conllu").to_pylist()
