"""Perturb whole sentences, in words before encoding or in tokens after it.

The hop languages of Kallini et al. (2024).
A number marker follows each finite verb in the third person present, after a fixed number of words or tokens.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar, get_args

PermutationKind: TypeAlias = Literal["shuffle", "shuffle-by-length", "shuffle-local", "even-odd"]
ReversalKind: TypeAlias = Literal["reverse", "reverse-partial", "reverse-control"]
PerturbationKind: TypeAlias = PermutationKind | ReversalKind | Literal["hop"]
REVERSALS: tuple[ReversalKind, ...] = get_args(ReversalKind)
PERTURBATIONS: tuple[PerturbationKind, ...] = (*get_args(PermutationKind), *REVERSALS, "hop")
UNSEEDED = ("even-odd", "hop")
HOP_DISTANCE = 4  # number of words or tokens by which `hop` moves a marker, as in Kallini et al. 2024
SINGULAR, PLURAL, REVERSED = "<sg>", "<pl>", "<rev>"
CLITICS = frozenset(("n't", "'ll", "'s", "'re", "'ve", "'m"))
IncompletePolicy: TypeAlias = Literal["drop", "end"]
RowChange: TypeAlias = Callable[[str, int, Sequence[int]], "list[int] | None"]  # source, number, tokens

_VERB_FEATURES = frozenset(("Person=3", "Tense=Pres", "VerbForm=Fin"))
_MARKERS = {"Number=Sing": SINGULAR, "Number=Plur": PLURAL}


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a hop language. A finite verb in the third person present has its lemma as `text`, and a marker."""

    text: str
    marker: str | None = None

    @classmethod
    def of(cls, form: str, lemma: str, feats: str) -> Word:
        features = frozenset(feats.split("|"))
        marker = next((marker for feature, marker in _MARKERS.items() if feature in features), None)
        if marker is None or not features >= _VERB_FEATURES:
            return cls(form)
        return cls(form if lemma == "_" else lemma, marker)

    @property
    def is_clitic(self) -> bool:
        return self.text.replace("’", "'") in CLITICS

    @property
    def is_counted(self) -> bool:
        return not self.is_clitic and not all(char in string.punctuation for char in self.text)

    @property
    def has_letter_or_digit(self) -> bool:
        return any(map(str.isalnum, self.text))


def hop(words: Sequence[Word], distance: int, incomplete: IncompletePolicy) -> str | None:
    """Return a sentence with a marker after the `distance`-th counted word after each verb, or None if it is dropped.

    A sentence is incomplete if fewer than four counted words follow a verb. The marker of a verb with fewer than
    `distance` of them is put before the final punctuation.
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
    """Return the tokens with markers moved `distance` to the right, at most behind the last with a letter."""
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
        from runner.corpus.rewrite_actions import Chance

        return Chance(self.seed, "perturb", 0, self.source, self.number).of(purpose, position)


def reordered(row: Sequence[Unit], kind: PermutationKind, row_seed: RowSeed, window: int | None) -> list[Unit]:
    """Permute the units of a row: `shuffle` by random numbers, others by NumPy's permutation for the seed."""
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
    """Insert a marker at a random position, and reverse the row, the part after the marker, or nothing."""
    position = row_seed.random_number("marker") % (len(row) + 1)
    marked = [*row[:position], marker, *row[position:]]
    match kind:
        case "reverse":
            return marked[::-1]
        case "reverse-partial":
            return [*marked[: position + 1], *row[position:][::-1]]
        case "reverse-control":
            return marked
