"""Apply rewrites to a store, chunk by chunk, and write or compare the results. Unchanged sentences keep their bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, repeat
from typing import IO, TYPE_CHECKING, Any

from fictdsl.compiler import CompiledRewrite
from fictdsl.draw.tree import Tree, words
from runner.corpus.matches import run_in_parts, run_select, run_statements
from runner.corpus.rewrite_actions import Candidate, Counts, RewriteCounts, SentenceSeed, apply_matches, needs_chance
from runner.corpus.rewrite_draft import EditedTree, read_stored
from runner.corpus.rewrite_spelling import Spelling, spell
from runner.corpus.sentence_texts import (
    SentenceLocation,
    TextFormat,
    aligned,
    as_bytes,
    as_conllu_blocks,
    as_lines,
    conllu_blocks,
    exact_texts,
    locate,
    read_batches,
    rows_among,
    text_offsets,
)
from runner.corpus.store import Store

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    import pyarrow as pa

    from runner.corpus.sentence_arrays import Indices


POSITION_COLUMNS = ("source", "number", "sent_id")
_SEED_COLUMNS = ("source", "number")  # the columns of `SentenceSeed`
_TREE_BATCH_ROWS = 1_024  # small, so that the memory of one batch is reused for the next
_FEW = 1 / 32  # share of matching sentences up to which DuckDB reads their trees faster than Arrow reads all trees


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A sentence that rewrites have changed. `as_is` has `case` and `article` if they are not adapted."""

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
    """Consecutive sentences, their stored texts and trees (None unless requested), and changes by row."""

    rows: pa.RecordBatch  # sid, surface, text, and the columns of the position
    texts: pa.Array
    trees: pa.Array | None
    changed: dict[int, Rewritten]


@dataclass(frozen=True, slots=True)
class TextBatch:
    """Consecutive sentences. The texts of some changed ones are in `new_texts`, the others in `other_texts`."""

    rows: pa.RecordBatch  # as in `RewrittenBatch`
    other_texts: pa.Array
    new_texts: Mapping[int, str | None]  # by row; None if the sentence is dropped
    changed: Sequence[int]  # rows, ascending

    @property
    def texts(self) -> pa.Array:
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        if not self.new_texts:
            return self.other_texts
        mask = np.zeros(len(self.other_texts), bool)
        mask[list(self.new_texts)] = True
        new_texts = pa.array([self.new_texts[row] for row in sorted(self.new_texts)], pa.string())
        return pc.replace_with_mask(self.other_texts, pa.array(mask), new_texts)


def new_counts(rewrites: Sequence[CompiledRewrite]) -> Counts:
    return Counts([RewriteCounts() for _ in rewrites])


def rewrite_sentence(
    block: str,
    text: str,
    rewrites: Sequence[CompiledRewrite],
    candidates: Sequence[Candidate],
    seed: SentenceSeed,
    counts: Counts,
) -> Rewritten | None:
    """Rewrite a sentence, given its CoNLL-U, exact text and all matches. Return None if it does not change."""
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


class Rewriting:
    """The sentences of a store in corpus order, after all rewrites. `counts` grows while they are read.

    `sids` (sorted integers) and `chunks` select sentences. `position_columns` are the columns of the position to read;
    the columns of `SentenceSeed` are also read if a rewrite makes random choices. Reading raises InputError (FICT650)
    if a rewrite inflects words and lemminflect is not installed.
    """

    def __init__(
        self,
        store: Store,
        rewrites: Sequence[CompiledRewrite],
        seed: int,
        *,
        sids: Any = None,
        chunks: Sequence[int] | None = None,
        position_columns: Sequence[str] = POSITION_COLUMNS,
    ) -> None:
        self.counts = new_counts(rewrites)
        self._store, self._rewrites, self._seed, self._sids = store, rewrites, seed, sids
        self._chunks = range(store.info.chunks) if chunks is None else chunks
        self._needs_chance = any(map(needs_chance, rewrites))
        self._columns = tuple(dict.fromkeys((*(_SEED_COLUMNS if self._needs_chance else ()), *position_columns)))
        self._everywhere = [
            Candidate(index, ()) for index, rewrite in enumerate(rewrites) if rewrite.matches_everywhere
        ]

    def batches(self, *, with_trees: bool = False) -> Iterator[RewrittenBatch]:
        """Yield all sentences. The trees of sentences without a match are read only if `with_trees`."""
        for batch, changes in self._batches(("conllu",) if with_trees else ()):
            batch.changed.update(changes)
            yield batch

    def changed(self) -> Iterator[tuple[int, Rewritten]]:
        for batch in self.batches():
            sids = batch.rows.column("sid")
            yield from ((sids[row].as_py(), batch.changed[row]) for row in sorted(batch.changed))

    def texts(self) -> Iterator[TextBatch]:
        """Yield all sentences without their trees. Sentences that are only reordered are rewritten together."""
        if self._everywhere:  # the import takes as long as rewriting several hundred sentences
            from runner.corpus.reordered_texts import only_reorders

            if only_reorders(self._rewrites[self._everywhere[0].rewrite_index]):
                yield from self._reordered()
                return
        for batch, changes in self._batches():
            new_texts = {row: rewritten.text for row, rewritten in changes}
            yield TextBatch(batch.rows, batch.texts, new_texts, sorted(new_texts))

    def _batches(
        self, tree_columns: Sequence[str] = ()
    ) -> Iterator[tuple[RewrittenBatch, Iterator[tuple[int, Rewritten]]]]:
        """Yield batches without changes, each with an iterator of the changes, to exhaust before the next batch."""
        import numpy as np

        for chunk in self._chunks:
            matches = self._matches(chunk)
            matched = None if self._everywhere else np.array(sorted(matches), np.int64)
            blocks = self._blocks(chunk, matched)
            for rows, trees in self._sentences(chunk, tree_columns):
                batch = RewrittenBatch(rows, exact_texts(rows), None if trees is None else trees.column("conllu"), {})
                sids = rows.column("sid").to_numpy()
                yield (
                    batch,
                    self._changes(
                        batch, np.arange(len(sids)) if matched is None else rows_among(sids, matched), matches, blocks
                    ),
                )
                self.counts.sentences += len(rows)

    def _reordered(self) -> Iterator[TextBatch]:
        import numpy as np

        from runner.corpus.reordered_texts import reordered_texts

        first, *others = (candidate.rewrite_index for candidate in self._everywhere)
        for chunk in self._chunks:
            matches = self._matches(chunk)
            matched_sids = np.fromiter(matches, np.int64, len(matches))
            for rows, trees in self._sentences(chunk, ("conllu", "rebuilt")):
                matched = np.isin(rows.column("sid").to_numpy(), matched_sids)
                result = reordered_texts(rows, trees, self._rewrites[first], self._seed, matched)
                result.count(self.counts, first, others)
                batch = RewrittenBatch(rows, exact_texts(rows), trees.column("conllu"), {})
                changes = self._changes(batch, np.flatnonzero(result.remaining), matches)
                new_texts = {row: rewritten.text for row, rewritten in changes}
                changed = [*np.flatnonzero(result.changed).tolist(), *new_texts]
                yield TextBatch(rows, result.texts, new_texts, sorted(changed))
                self.counts.sentences += len(rows)

    def _changes(
        self,
        batch: RewrittenBatch,
        indices: Indices,
        matches: Mapping[int, list[Candidate]],
        blocks: Iterable[str] = (),
    ) -> Iterator[tuple[int, Rewritten]]:
        """Rewrite the sentences with some indices. Their CoNLL-U is in the batch, or else the next of `blocks`."""
        import pyarrow as pa

        rows = pa.array(indices)
        sids, texts = (column.take(rows).to_pylist() for column in (batch.rows.column("sid"), batch.texts))
        trees = batch.trees
        if trees is not None:
            blocks = (trees[row].as_py() for row in indices.tolist())
        sentences = zip(indices.tolist(), sids, texts, self._seeds(batch.rows, rows), blocks, strict=False)
        for row, sid, text, seed, block in sentences:
            candidates = [*matches.get(sid, ()), *self._everywhere]
            rewritten = rewrite_sentence(block, text, self._rewrites, candidates, seed, self.counts)
            if rewritten is not None:
                yield row, rewritten

    def _seeds(self, rows: pa.RecordBatch, indices: pa.Array) -> Iterable[SentenceSeed]:
        if not self._needs_chance:
            return repeat(SentenceSeed(self._seed, "", 0))
        sources, numbers = (rows.column(name).take(indices).to_pylist() for name in _SEED_COLUMNS)
        return (SentenceSeed(self._seed, *position) for position in zip(sources, numbers, strict=True))

    def _matches(self, chunk: int) -> dict[int, list[Candidate]]:
        statements = {
            index: self._store.statement(rewrite.matching)
            for index, rewrite in enumerate(self._rewrites)
            if not rewrite.matches_everywhere
        }

        def work(connection: duckdb.DuckDBPyConnection) -> list[tuple[int, pa.Table]]:
            return [(index, run_select(connection, statement.text)) for index, statement in statements.items()]

        matches: dict[int, list[Candidate]] = {}
        for part in run_statements(self._store, statements.values(), work, [chunk]) if statements else ():
            for index, table in part:
                for sid, *ids in zip(*(column.to_pylist() for column in table.columns), strict=True):
                    matches.setdefault(sid, []).append(Candidate(index, tuple(word or 0 for word in ids)))
        return matches

    def _sentences(self, chunk: int, tree_columns: Sequence[str]) -> Iterator[tuple[Any, Any]]:
        sentences = read_batches(self._store, "sentences", ("surface", "text", *self._columns), self._sids, [chunk])
        if not tree_columns:
            return zip(sentences, repeat(None), strict=False)
        return aligned(sentences, read_batches(self._store, "raw", tree_columns, self._sids, [chunk]))

    def _blocks(self, chunk: int, matched: Indices | None) -> Iterator[str]:
        """Yield the CoNLL-U of the matching sentences of a chunk, or of all if `matched` is None."""
        import numpy as np

        store, sids = self._store, self._sids
        wanted = sids if matched is None else matched if sids is None else np.intersect1d(matched, sids)
        if matched is None or len(wanted) > _FEW * len(store.sids([chunk])):
            for batch in read_batches(store, "raw", ("conllu",), wanted, [chunk], rows=_TREE_BATCH_ROWS):
                yield from batch.column("conllu").to_pylist()
            return
        # in DuckDB, a join is several times faster than IN with a long list of literals
        query = "SELECT conllu FROM raw SEMI JOIN (SELECT unnest($1::BIGINT[]) AS sid) USING (sid) ORDER BY sid"
        for part in run_in_parts(
            store, (), ("raw",), lambda connection: run_select(connection, query, [wanted.tolist()]), [chunk]
        ):
            yield from part.column("conllu").to_pylist()


def count_rewritten(store: Store, rewrites: Sequence[CompiledRewrite], seed: int) -> Counts:
    rewriting = Rewriting(store, rewrites, seed, position_columns=())
    for _ in rewriting.texts():
        pass
    return rewriting.counts


def write_rewritten(
    store: Store, rewrites: Sequence[CompiledRewrite], text_format: TextFormat, out: IO[bytes], seed: int
) -> Counts:
    rewriting = Rewriting(store, rewrites, seed, position_columns=())
    if text_format == "text":
        for text_batch in rewriting.texts():
            new_lines = {
                row: b"" if text is None else f"{text}\n".encode() for row, text in text_batch.new_texts.items()
            }
            out.write(b"".join(_spliced(as_lines(text_batch.other_texts), new_lines)))
    else:
        for batch in rewriting.batches(with_trees=True):
            new_blocks = {row: _block(rewritten) for row, rewritten in batch.changed.items()}
            out.writelines(_spliced(as_conllu_blocks(batch.trees), new_blocks))
    return rewriting.counts


def _spliced(texts: pa.StringArray, new_texts: Mapping[int, bytes]) -> Iterator[bytes | memoryview]:
    """Yield the bytes of `texts` with those of some rows replaced, without a copy of the others."""
    data, offsets = as_bytes(texts), text_offsets(texts)
    position = start = offsets[0]
    for row in sorted(new_texts):
        yield data[position - start : offsets[row] - start]
        yield new_texts[row]
        position = offsets[row + 1]
    yield data[position - start :]


def _block(rewritten: Rewritten) -> bytes:
    if rewritten.spelling is None:
        return b""
    return f"{rewritten.conllu}\n{rewritten.draft.stored.end}\n".encode()


@dataclass(frozen=True, slots=True)
class ChangedSentence:
    location: SentenceLocation
    block: str
    rewritten: Rewritten


def changed_sids(store: Store, rewrite: CompiledRewrite, seed: int) -> np.ndarray:
    import numpy as np

    parts = [np.empty(0, np.int64)]
    for batch in Rewriting(store, [rewrite], seed).texts():
        parts.append(batch.rows.column("sid").to_numpy()[list(batch.changed)])
    return np.concatenate(parts)


def changed_sentences(store: Store, rewrite: CompiledRewrite, seed: int, sids: np.ndarray) -> Iterator[ChangedSentence]:
    """Yield the sentences `sids`, all of which must change."""
    changed = Rewriting(store, [rewrite], seed, sids=sids).changed()
    stored = zip(locate(store, sids), conllu_blocks(store, sids), changed, strict=False)
    return (ChangedSentence(location, block, rewritten) for location, block, (_, rewritten) in stored)


def first_changed(store: Store, rewrite: CompiledRewrite, seed: int, limit: int) -> list[ChangedSentence]:
    """Return the first `limit` sentences that a rewrite changes. The rest of the store is not read."""
    import numpy as np

    changed = dict(islice(Rewriting(store, [rewrite], seed).changed(), limit))
    sids = np.array(list(changed), np.int64)
    stored = zip(locate(store, sids), conllu_blocks(store, sids), changed.values(), strict=True)
    return [ChangedSentence(*sentence) for sentence in stored]


def changed_trees(sentence: ChangedSentence) -> tuple[Tree, Tree | None]:
    """Return the trees before and after (None if dropped), with the changed words marked."""
    (old_changes, new_changes), new_block = word_changes(sentence.rewritten), sentence.rewritten.conllu
    return Tree(words(sentence.block), old_changes), None if new_block is None else Tree(words(new_block), new_changes)


def word_changes(rewritten: Rewritten) -> tuple[dict[int, str], dict[int, str]]:
    """Return the changes by old ids and by new ids: `deleted`, `moved` (as few as possible), `new`, `changed`."""
    draft = rewritten.draft
    if rewritten.spelling is None:
        return {}, {}
    moved_words = draft.moved_words()
    changed_words = {*draft.changed_words, *rewritten.spelling.forms}
    old_changes = {word: "deleted" for word in draft.deleted if word <= draft.stored.size}
    new_changes: dict[int, str] = {}
    for number, word in enumerate(draft.order, start=1):
        changes = ["moved"] * (word in moved_words) + ["changed"] * (word in changed_words)
        if word in draft.inserted:
            new_changes[number] = "new"
        elif changes:
            old_changes[word] = new_changes[number] = ",".join(changes)
    return dict(sorted(old_changes.items())), new_changes


@dataclass(frozen=True, slots=True)
class RewriteComparison:
    changed_counts: tuple[int, int]
    different_sids: list[int]


def compare_rewrites(store: Store, first: CompiledRewrite, second: CompiledRewrite, seed: int) -> RewriteComparison:
    """Compare the results of two rewrites in every sentence. Results differ if their texts or their trees differ."""
    changed_counts, different_sids = [0, 0], set[int]()
    for chunk in range(store.info.chunks):
        results = [
            {(sid, new.text, new.conllu) for sid, new in Rewriting(store, [rewrite], seed, chunks=[chunk]).changed()}
            for rewrite in (first, second)
        ]
        changed_counts = [count + len(changed) for count, changed in zip(changed_counts, results, strict=True)]
        different_sids |= {sid for sid, *_ in results[0] ^ results[1]}
    return RewriteComparison((changed_counts[0], changed_counts[1]), sorted(different_sids))
