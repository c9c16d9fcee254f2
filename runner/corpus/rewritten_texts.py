"""Write and compare the sentences of a store after rewrites, and find the sentences and words that change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import IO, TYPE_CHECKING

from fictdsl.compiler import CompiledRewrite
from fictdsl.draw.tree import Tree, words
from runner.corpus.rewrite import Rewriting, Rewritten
from runner.corpus.rewrite_actions import Counts
from runner.corpus.sentence_texts import (
    SentenceLocation,
    TextFormat,
    as_bytes,
    as_conllu_blocks,
    as_lines,
    conllu_blocks,
    locate,
    text_offsets,
)
from runner.corpus.store import Store

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa


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


@dataclass(frozen=True, slots=True)
class WordChanges:
    """The changes of words by old ids and by new ids: `deleted`, `moved`, `new`, `changed` or `moved,changed`."""

    old_changes: dict[int, str]
    new_changes: dict[int, str]


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
    changes, new_block = word_changes(sentence.rewritten), sentence.rewritten.conllu
    old_tree = Tree(words(sentence.block), changes.old_changes)
    return old_tree, None if new_block is None else Tree(words(new_block), changes.new_changes)


def word_changes(rewritten: Rewritten) -> WordChanges:
    """Return the changes of the words of a sentence. As few words as possible count as moved."""
    draft = rewritten.draft
    if rewritten.spelling is None:
        return WordChanges({}, {})
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
    return WordChanges(dict(sorted(old_changes.items())), new_changes)


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
