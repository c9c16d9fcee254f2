"""Compute, write and compare the texts of a store after rewrites, and find the sentences and words that change."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from fictdsl.compiler import CompiledRewrite
from fictdsl.draw.tree import Tree, words
from runner.corpus.rewrite import (
    POSITION_COLUMNS,
    SEED_COLUMNS,
    Rewritten,
    candidates_everywhere,
    candidates_in,
    new_counts,
    rewrite_batches,
    rewrite_lazily,
    rewrite_sentence,
)
from runner.corpus.rewrite_actions import Candidate, Counts, SentenceSeed
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
    text_ends,
)
from runner.corpus.store import Store

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from runner.corpus.rewrite_draft import EditedTree


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
    everywhere = candidates_everywhere(rewrites)
    if not everywhere:
        return False  # without an import that takes as long as rewriting several hundred sentences
    from runner.corpus.reordered_words import only_reorders

    return only_reorders(rewrites[everywhere[0].rewrite_index])


class _Reordering:
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

        from runner.corpus.reordered_texts import reordered_texts

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
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    if not changed:
        return texts
    mask = np.zeros(len(texts), bool)
    mask[list(changed)] = True
    return pc.replace_with_mask(texts, pa.array(mask), pa.array([changed[row] for row in sorted(changed)], pa.string()))


def count_rewritten(store: Store, rewrites: Sequence[CompiledRewrite], seed: int) -> Counts:
    counts = new_counts(rewrites)
    for _ in rewritten_texts(store, rewrites, seed, counts, position_columns=()):
        pass
    return counts


def write_rewritten(
    store: Store, rewrites: Sequence[CompiledRewrite], text_format: TextFormat, out: IO[bytes], seed: int
) -> Counts:
    counts = new_counts(rewrites)
    if text_format == "text":
        for text_batch in rewritten_texts(store, rewrites, seed, counts, position_columns=()):
            new_lines = {row: _line(text) for row, text in text_batch.new_texts.items()}
            out.write(b"".join(_spliced(as_lines(text_batch.other_texts), new_lines)))
        return counts
    for batch in rewrite_batches(store, rewrites, seed, counts, with_trees=True, position_columns=()):
        new_blocks = {row: _block(rewritten) for row, rewritten in batch.changed.items()}
        out.writelines(_spliced(as_conllu_blocks(batch.trees), new_blocks))
    return counts


def _spliced(texts: pa.StringArray, new_texts: Mapping[int, bytes]) -> Iterator[bytes | memoryview]:
    """Yield the bytes of `texts` with those of some rows replaced, without a copy of the others."""
    data, ends = as_bytes(texts), text_ends(texts)
    position = 0
    for row in sorted(new_texts):
        yield data[position : ends[row - 1] if row else 0]
        yield new_texts[row]
        position = ends[row]
    yield data[position:]


def _line(text: str | None) -> bytes:
    return b"" if text is None else f"{text}\n".encode()


def _block(rewritten: Rewritten) -> bytes:
    if rewritten.spelling is None:
        return b""
    return f"{rewritten.conllu}\n{rewritten.draft.stored.end}\n".encode()


@dataclass(frozen=True, slots=True)
class ChangedSentence:
    location: SentenceLocation
    block: str
    rewritten: Rewritten


@dataclass(frozen=True, slots=True)
class WordChanges:
    """The changes of words by old ids and by new ids: `deleted`, `moved`, `new`, `changed` or `moved,changed`."""

    old_changes: dict[int, str]
    new_changes: dict[int, str]


def changed_sids(store: Store, rewrite: CompiledRewrite, seed: int) -> np.ndarray:
    import numpy as np

    parts = [np.empty(0, np.int64)]
    for batch in rewritten_texts(store, [rewrite], seed, new_counts([rewrite])):
        parts.append(batch.rows.column("sid").to_numpy()[list(batch.changed)])
    return np.concatenate(parts)


def changed_sentences(store: Store, rewrite: CompiledRewrite, seed: int, sids: np.ndarray) -> Iterator[ChangedSentence]:
    stored = zip(locate(store, sids), conllu_blocks(store, sids), strict=True)
    for batch in rewrite_batches(store, [rewrite], seed, new_counts([rewrite]), sids):
        for row in sorted(batch.changed):
            yield ChangedSentence(*next(stored), batch.changed[row])


def first_changed(store: Store, rewrite: CompiledRewrite, seed: int, limit: int) -> list[ChangedSentence]:
    """Return the first `limit` sentences that a rewrite changes. The rest of the store is not read."""
    import numpy as np

    rewritten_by_sid: dict[int, Rewritten] = {}
    for batch in rewrite_batches(store, [rewrite], seed, new_counts([rewrite])):
        sids = batch.rows.column("sid").to_pylist()
        rewritten_by_sid |= {
            sids[row]: batch.changed[row] for row in sorted(batch.changed)[: limit - len(rewritten_by_sid)]
        }
        if len(rewritten_by_sid) == limit:
            break
    sids = np.array(sorted(rewritten_by_sid), np.int64)
    stored = zip(locate(store, sids), conllu_blocks(store, sids), strict=True)
    return [ChangedSentence(location, block, rewritten_by_sid[location.sid]) for location, block in stored]


def changed_trees(sentence: ChangedSentence) -> tuple[Tree, Tree | None]:
    """Return the trees before and after a rewrite, with the changed words marked.

    The second tree is None if the sentence is dropped.
    """
    changes, new_block = word_changes(sentence.rewritten), sentence.rewritten.conllu
    old_tree = Tree(words(sentence.block), changes.old_changes)
    return old_tree, None if new_block is None else Tree(words(new_block), changes.new_changes)


def word_changes(rewritten: Rewritten) -> WordChanges:
    """Return the changes of the words of a sentence. As few words as possible count as moved."""
    draft = rewritten.draft
    if rewritten.spelling is None:
        return WordChanges({}, {})
    moved_words = _moved_words(draft)
    changed_words = {*draft.changed_words, *rewritten.spelling.forms}
    old_changes = {word: "deleted" for word in draft.deleted if word <= draft.stored.size}
    new_changes: dict[int, str] = {}
    for number, word in enumerate(draft.order, start=1):
        changes = ["moved"] * (word in moved_words) + ["changed"] * (word in changed_words)
        if word in draft.inserted:
            new_changes[number] = "new"
        elif changes:
            old_changes[word] = new_changes[number] = ",".join(changes)
    return WordChanges(dict(sorted(old_changes.items())), new_changes)


def _moved_words(draft: EditedTree) -> set[int]:
    stored_words = [word for word in draft.order if word not in draft.inserted]
    return set(stored_words) - _longest_increasing(stored_words)


def _longest_increasing(numbers: Sequence[int]) -> set[int]:
    """Return the numbers of a longest increasing subsequence, in O(n log n)."""
    last_numbers: list[int] = []  # the smallest last number of an increasing subsequence of each length
    predecessors: dict[int, int | None] = {}
    for number in numbers:
        length = bisect_left(last_numbers, number)
        predecessors[number] = last_numbers[length - 1] if length else None
        last_numbers[length : length + 1] = [number]
    subsequence: set[int] = set()
    current = last_numbers[-1] if last_numbers else None
    while current is not None:
        subsequence.add(current)
        current = predecessors[current]
    return subsequence


# --- two rewrites


@dataclass(frozen=True, slots=True)
class RewriteComparison:
    changed_counts: tuple[int, int]
    different_sids: list[int]


def compare_rewrites(store: Store, first: CompiledRewrite, second: CompiledRewrite, seed: int) -> RewriteComparison:
    """Compare the results of two rewrites in every sentence. Results differ if their texts or their trees differ."""
    changed_counts, different_sids = [0, 0], []
    for first_results, second_results in zip(_results(store, first, seed), _results(store, second, seed), strict=True):
        changed_counts[0] += len(first_results)
        changed_counts[1] += len(second_results)
        different_sids += [
            sid
            for sid in first_results.keys() | second_results.keys()
            if first_results.get(sid) != second_results.get(sid)
        ]
    return RewriteComparison((changed_counts[0], changed_counts[1]), sorted(different_sids))


def _results(store: Store, rewrite: CompiledRewrite, seed: int) -> Iterator[dict[int, tuple[str | None, str | None]]]:
    """Yield for each chunk the text and tree of each sentence that changes, by sid; both are None if it is dropped."""
    for chunk in range(store.info.chunks):
        results: dict[int, tuple[str | None, str | None]] = {}
        for batch in rewrite_batches(store, [rewrite], seed, new_counts([rewrite]), chunks=[chunk]):
            sids = batch.rows.column("sid").to_pylist()
            results |= {sids[row]: _result(rewritten) for row, rewritten in batch.changed.items()}
        yield results


def _result(rewritten: Rewritten) -> tuple[str | None, str | None]:
    return rewritten.text, rewritten.conllu
