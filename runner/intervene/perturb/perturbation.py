"""Perturbations of corpora: the markers that they insert, and their effect on words and on tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar, cast

from runner.corpus.export import conllu_blocks
from runner.corpus.sentence_arrays import read_sentences
from runner.corpus.store import Store
from runner.intervene.edits import Edit
from runner.intervene.perturb.hop import PLURAL, SINGULAR, IncompletePolicy, Word, hop, hop_tokens
from runner.intervene.perturb.kinds import HOP_DISTANCE, REVERSALS, Kind, PermutationKind, ReversalKind
from runner.intervene.perturb.permute import RowSeed, reordered, reversed_row

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from runner.corpus.rewrite import Rewritten
    from runner.intervene.rewriting.rewritten import Trees

REVERSED = "<rev>"
Unit = TypeVar("Unit")
RowChange: TypeAlias = Callable[[str, int, Sequence[int]], "list[int] | None"]  # source, number, tokens


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A perturbation of rows. A row is a sentence as the words of its tree, or as tokens without special tokens.

    Rows whose number of units is not within `lengths` are omitted. `window` applies to `shuffle-local`; `distance` and
    `incomplete` apply to `hop`.
    """

    kind: Kind
    unit: Literal["word", "token"] = "word"
    seed: int = 0
    window: int | None = None
    distance: int = HOP_DISTANCE
    incomplete: IncompletePolicy = "drop"
    lengths: tuple[int, int] | None = None

    @property
    def markers(self) -> tuple[str, ...]:
        """The strings that it inserts."""
        return (SINGULAR, PLURAL) if self.kind == "hop" else (REVERSED,) if self.kind in REVERSALS else ()

    @property
    def edits_text(self) -> bool:
        """Whether the text changes before it is encoded."""
        return self.unit == "word" or self.kind == "hop"

    def text(self, words: Sequence[Word], row_seed: RowSeed) -> str | None:
        """Return the text of a sentence before encoding, or None if it is omitted.

        With tokens as units, markers of `hop` immediately follow their verbs.
        """
        if self.unit == "word" and not self._has_length(len(words)):
            return None
        if self.kind != "hop":
            return " ".join(self._permuted([word.text for word in words], row_seed, REVERSED))
        if self.unit == "word":
            return hop(words, self.distance, self.incomplete)
        is_kept = hop(words, self.distance, self.incomplete) is not None
        return hop(words, 0, "end") if is_kept else None

    def _permuted(self, row: Sequence[Unit], row_seed: RowSeed, marker: Unit) -> list[Unit]:
        if self.kind in REVERSALS:
            return reversed_row(row, cast("ReversalKind", self.kind), row_seed, marker)
        return reordered(row, cast("PermutationKind", self.kind), row_seed, self.window)

    def _has_length(self, unit_count: int) -> bool:
        return self.lengths is None or self.lengths[0] <= unit_count <= self.lengths[1]

    def row_change(self, tokenizer: PreTrainedTokenizerBase) -> RowChange:
        """Return a function that changes the tokens of a row, or returns None if the row is omitted.

        `tokenizer` has the markers as tokens.
        """
        ids = [int(number) for number in cast("list[int]", tokenizer.convert_tokens_to_ids(list(self.markers)))]

        @lru_cache(65_536)
        def has_letter_or_digit(token: int) -> bool:
            return any(map(str.isalnum, str(tokenizer.decode([token]))))

        def change(source: str, number: int, row: Sequence[int]) -> list[int] | None:
            row_seed = RowSeed(self.seed, source, number)
            if self.kind != "hop":
                return self._permuted(row, row_seed, ids[0] if ids else -1) if self._has_length(len(row)) else None
            if not self._has_length(len(row) - sum(token in ids for token in row)):
                return None
            return hop_tokens(row, frozenset(ids), self.distance, [has_letter_or_digit(token) for token in row])

        return change


def perturbed_texts(
    store: Store, perturbation: Perturbation, trees: Trees = (), with_originals: bool = False
) -> Iterator[Edit]:
    """Yield every sentence of a store with its perturbed text, or None if it is omitted.

    `trees` are the trees of sentences that were rewritten before. If `with_originals`, the edit of such a sentence also
    has the perturbed text of its original. If one of the two texts is omitted, the edit has only the other.
    """
    sentences = read_sentences(store)
    for sid, (block, rewritten) in enumerate(_with_trees(conllu_blocks(store), trees)):
        row_seed = RowSeed(perturbation.seed, sentences.sources[sid], sentences.numbers[sid])
        original_edit = _edit(sid, block, perturbation, row_seed)
        if rewritten is None:
            yield original_edit
        elif with_originals:
            yield _with_original(original_edit, _edit(sid, rewritten.conllu, perturbation, row_seed))
        else:
            edit = _edit(sid, rewritten.conllu, perturbation, row_seed)
            yield replace(edit, removed=original_edit.words - edit.words)


def _with_trees(blocks: Iterable[str], trees: Trees) -> Iterator[tuple[str, Rewritten | None]]:
    """Yield the block of each sentence, and its rewritten tree, or None if `trees` has none."""
    remaining = iter(trees)
    next_tree = next(remaining, None)
    for sid, block in enumerate(blocks):
        if next_tree is None or next_tree[0] != sid:
            yield block, None
        else:
            yield block, next_tree[1]
            next_tree = next(remaining, None)


def _edit(sid: int, block: str | None, perturbation: Perturbation, row_seed: RowSeed) -> Edit:
    """Perturb the tree of a sentence. If a rewrite has dropped the sentence, `block` and the text are None."""
    if block is None:
        return Edit(sid, None, 1, 0, 0)
    words = _words(block, perturbation.kind == "hop")
    return Edit(sid, perturbation.text(words, row_seed), 1, len(words), 0)


def _with_original(original: Edit, rewritten: Edit) -> Edit:
    """Return the edit of a rewritten sentence with its original, or of the original if the rewritten one is omitted."""
    if rewritten.text is None:
        return original
    removed = original.words - rewritten.words
    return replace(rewritten, removed=removed, original=original.text)


def _words(block: str, with_markers: bool) -> list[Word]:
    """Return the words of a tree. If `with_markers`, verbs are lemmas with markers (see `Word.of`)."""
    lines = (line.removesuffix("\r").split("\t") for line in block.split("\n"))
    rows = [row for row in lines if row[0].isdecimal()]
    return [Word.of(row[1], row[2], row[5]) if with_markers else Word(row[1]) for row in rows]
