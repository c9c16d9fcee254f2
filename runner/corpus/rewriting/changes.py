"""Find the sentences that a rewrite changes, the changes of their words, and the differences between two rewrites."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fictdsl.compiler import CompiledRewrite
from fictdsl.draw.tree import Tree, words
from runner.corpus.rewriting.apply import Rewritten, new_counts, rewrite_batches
from runner.corpus.rewriting.texts import rewritten_texts
from runner.corpus.sentences.export import conllu_blocks
from runner.corpus.sentences.lookup import SentenceLocation, locate
from runner.corpus.store.opening import Store

if TYPE_CHECKING:
    import numpy as np

    from runner.corpus.rewriting.draft import Draft


@dataclass(frozen=True, slots=True)
class ChangedSentence:
    """A sentence that a rewrite changes. `block` is its CoNLL-U in the store, followed by an empty line."""

    location: SentenceLocation
    block: str
    rewritten: Rewritten


@dataclass(frozen=True, slots=True)
class WordChanges:
    """The changes of words by old ids and by new ids: `deleted`, `moved`, `new`, `changed` or `moved,changed`."""

    old_changes: dict[int, str]
    new_changes: dict[int, str]


def changed_sids(store: Store, rewrite: CompiledRewrite, seed: int) -> np.ndarray:
    """Return the ids (`sid`) of the sentences that a rewrite changes or drops, ascending."""
    import numpy as np

    parts = [np.empty(0, np.int64)]
    for batch in rewritten_texts(store, [rewrite], seed, new_counts([rewrite])):
        parts.append(batch.rows.column("sid").to_numpy()[list(batch.changed)])
    return np.concatenate(parts)


def changed_sentences(store: Store, rewrite: CompiledRewrite, seed: int, sids: np.ndarray) -> Iterator[ChangedSentence]:
    """Yield the sentences of `sids` (sorted integers), all of which a rewrite changes, in corpus order."""
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


def _moved_words(draft: Draft) -> set[int]:
    """Return the stored words outside a longest increasing subsequence of the new order."""
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
    """The number of sentences that each of two rewrites changes, and the sids of sentences with different results."""

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
