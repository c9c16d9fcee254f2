"""Perturb whole sentences, in words before encoding or in tokens after it.

The hop languages of Kallini et al. (2024).
A number marker follows each finite verb in the third person present, after a fixed number of words or tokens.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar, cast

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from runner.conditions.edits import Edit
    from runner.conditions.rewriting import Trees
    from runner.corpus.rewrite import Rewritten
    from runner.corpus.store import Store


PermutationKind: TypeAlias = Literal["shuffle", "shuffle-by-length", "shuffle-local", "even-odd"]
ReversalKind: TypeAlias = Literal["reverse", "reverse-partial", "reverse-control"]
PerturbationKind: TypeAlias = PermutationKind | ReversalKind | Literal["hop"]
PERTURBATIONS: tuple[PerturbationKind, ...] = (
    "shuffle",
    "shuffle-by-length",
    "shuffle-local",
    "even-odd",
    "reverse",
    "reverse-partial",
    "reverse-control",
    "hop",
)
REVERSALS = ("reverse", "reverse-partial", "reverse-control")
UNSEEDED = ("even-odd", "hop")
HOP_DISTANCE = 4  # number of words or tokens by which `hop` moves a marker, as in Kallini et al. 2024
SINGULAR, PLURAL = "<sg>", "<pl>"
CLITICS = frozenset(("n't", "'ll", "'s", "'re", "'ve", "'m"))
IncompletePolicy: TypeAlias = Literal["drop", "end"]

_VERB_FEATURES = frozenset(("Person=3", "Tense=Pres", "VerbForm=Fin"))
_MARKERS = {"Number=Sing": SINGULAR, "Number=Plur": PLURAL}


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a hop language.

    A finite verb in the third person present has its lemma as `text`, and a number marker.
    """

    text: str
    marker: str | None = None

    @classmethod
    def of(cls, form: str, lemma: str, feats: str) -> Word:
        """Return a word of a tree. A finite verb in the third person present is written as its lemma, if it has one."""
        features = frozenset(feats.split("|"))
        marker = next((marker for feature, marker in _MARKERS.items() if feature in features), None)
        if marker is None or not features >= _VERB_FEATURES:
            return cls(form)
        return cls(form if lemma == "_" else lemma, marker)

    @property
    def is_clitic(self) -> bool:
        """Whether it is one of the six clitics, which are attached to the preceding word."""
        return self.text.replace("’", "'") in CLITICS

    @property
    def is_counted(self) -> bool:
        """Whether it counts as a word between a verb and its marker."""
        return not self.is_clitic and not all(char in string.punctuation for char in self.text)

    @property
    def has_letter_or_digit(self) -> bool:
        """Whether it contains a letter or a digit."""
        return any(map(str.isalnum, self.text))


def hop(words: Sequence[Word], distance: int, incomplete: IncompletePolicy) -> str | None:
    """Return a sentence with a marker after the `distance`-th counted word after each verb, or None if it is dropped.

    A sentence is incomplete if fewer than four counted words follow one of its verbs, whatever the `distance`. With
    `incomplete="drop"`, it is dropped. The marker of a verb with fewer than `distance` counted words after it is put
    before the final punctuation.
    """
    markers: dict[int, list[str]] = {}  # by the number of words before them
    for position, word in enumerate(words):
        if word.marker is None:
            continue
        if incomplete == "drop" and not _is_complete(words, position):
            return None
        markers.setdefault(_marker_position(words, position, distance), []).append(word.marker)
    return _join_words(words, markers)


def _is_complete(words: Sequence[Word], verb: int) -> bool:
    counted_words = 0
    last_index = max((index for index, word in enumerate(words) if word.has_letter_or_digit), default=-1)
    for index in range(verb + 1, len(words)):
        if index > last_index:
            break
        counted_words += words[index].is_counted
        if counted_words == HOP_DISTANCE:
            return True
    return False


def _marker_position(words: Sequence[Word], verb: int, distance: int) -> int:
    """Return the number of words before the marker of a verb."""
    end = len(words)
    while end > verb + 1 and not words[end - 1].has_letter_or_digit:
        end -= 1
    position, counted_words = verb + 1, 0
    while counted_words < distance and position < end:
        counted_words += words[position].is_counted
        position += 1
    while position < len(words) and words[position].is_clitic:
        position += 1
    return position


def _join_words(words: Sequence[Word], markers: dict[int, list[str]]) -> str:
    """Return the words separated by spaces, with clitics attached, and the markers between them."""
    pieces: list[str] = []
    for position, word in enumerate(words):
        markers_here = markers.get(position, [])
        pieces += markers_here
        if word.is_clitic and pieces and not markers_here:
            pieces[-1] += word.text
        else:
            pieces.append(word.text)
    return " ".join([*pieces, *markers.get(len(words), [])])


def hop_tokens(
    tokens: Sequence[int], markers: frozenset[int], distance: int, has_letter_or_digit: Sequence[bool]
) -> list[int]:
    """Return the tokens of a sentence with each marker moved `distance` tokens to the right.

    `tokens` has each marker after its verb. `has_letter_or_digit` has a value for each token. No marker moves beyond
    the last token with a letter or digit.
    """
    pairs = zip(tokens, has_letter_or_digit, strict=True)
    other_tokens = [(token, has_alphanumeric) for token, has_alphanumeric in pairs if token not in markers]
    end = len(other_tokens)
    while end and not other_tokens[end - 1][1]:
        end -= 1
    markers_at: dict[int, list[int]] = {}
    position = 0
    for token in tokens:
        if token in markers:
            markers_at.setdefault(max(position, min(position + distance, end)), []).append(token)
        else:
            position += 1
    result: list[int] = []
    for position in range(len(other_tokens) + 1):
        result += [*markers_at.get(position, []), *(token for token, _ in other_tokens[position : position + 1])]
    return result


Unit = TypeVar("Unit")


@dataclass(frozen=True, slots=True)
class RowSeed:
    """The values that determine random choices in a row: the seed, the source, and the row's number in its source."""

    seed: int
    source: str
    number: int

    def random_number(self, purpose: str, position: int | None = None) -> int:
        """Return a pseudo-random number below 2**64."""
        from runner.corpus.rewrite_actions import Chance

        return Chance(self.seed, "perturb", 0, self.source, self.number).of(purpose, position)


def reordered(row: Sequence[Unit], kind: PermutationKind, row_seed: RowSeed, window: int | None) -> list[Unit]:
    """Permute the units of a row.

    `shuffle` sorts positions by pseudo-random numbers. The other shuffles permute the row, or each part of `window`
    units, by the permutation that a new NumPy generator with the seed gives for this length. `even-odd` puts even
    positions, counted from 0, before odd ones.
    """
    match kind:
        case "shuffle":
            order = sorted(range(len(row)), key=lambda position: row_seed.random_number("shuffle", position))
            return [row[position] for position in order]
        case "shuffle-by-length":
            return _permuted(row, row_seed.seed)
        case "shuffle-local":
            size = window or 1
            windows = (row[start : start + size] for start in range(0, len(row), size))
            return [unit for window_units in windows for unit in _permuted(window_units, row_seed.seed)]
        case "even-odd":
            return [*row[::2], *row[1::2]]


def _permuted(row: Sequence[Unit], seed: int) -> list[Unit]:
    from runner.corpus.rewrite_actions import permutation

    return [row[position] for position in permutation(len(row), seed)]


def reversed_row(row: Sequence[Unit], kind: ReversalKind, row_seed: RowSeed, marker: Unit) -> list[Unit]:
    """Insert a marker at a random position, and reverse the row, the part after the marker, or nothing.

    The position is the same for all kinds.
    """
    position = row_seed.random_number("marker") % (len(row) + 1)
    marked = [*row[:position], marker, *row[position:]]
    match kind:
        case "reverse":
            return marked[::-1]
        case "reverse-partial":
            return [*marked[: position + 1], *row[position:][::-1]]
        case "reverse-control":
            return marked


REVERSED = "<rev>"
RowChange: TypeAlias = Callable[[str, int, Sequence[int]], "list[int] | None"]  # source, number, tokens


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A perturbation of rows. A row is a sentence as the words of its tree, or as tokens without special tokens.

    Rows whose number of units is not within `lengths` are omitted. `window` applies to `shuffle-local`; `distance` and
    `incomplete` apply to `hop`.
    """

    kind: PerturbationKind
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
    from runner.corpus.sentence_arrays import read_sentences
    from runner.corpus.sentence_texts import conllu_blocks

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
    from runner.conditions.edits import Edit

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
