"""Apply the actions that only reorder words to many sentences at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from fictdsl.compiler import CompiledRewrite
from fictdsl.semantics import operations as op
from runner.corpus.files.byte_strings import Flags, Ints
from runner.corpus.rewriting.actions import permutation
from runner.corpus.rewriting.arrays.linearize import linearized
from runner.corpus.rewriting.arrays.words import Words
from runner.corpus.rewriting.chance import Chance

Reordering: TypeAlias = op.Reverse | op.Order | op.Shuffle | op.Interleave
Chances: TypeAlias = Callable[[int], Sequence[Chance]]  # (number of an action) → a `Chance` for each sentence


def only_reorders(rewrite: CompiledRewrite) -> bool:
    """Return whether all actions reorder the sentence, and every sentence matches."""
    return rewrite.matches_everywhere and all(
        isinstance(action, Reordering) and action.target.kind == "sentence" for action in rewrite.operations
    )


def reordered(words: Words, actions: Sequence[op.Operation], chances: Chances) -> Ints:
    """Return the order of all words, sentence by sentence, after actions that only reorder words."""
    order = np.arange(len(words.sentence))
    for number, action in enumerate(actions, start=1):
        match action:
            case op.Reverse():
                order = order[_mirrored(words)]
            case op.Interleave():
                order = order[_interleaved(words)]
            case op.Shuffle():
                order = _shuffled(words, order, action, chances(number))
            case op.Order():
                fixed_directions = np.full(len(order), action.descending or action.head_final)
                descending = _random_directions(words, chances(number)) if action.key == "chance" else fixed_directions
                order = linearized(words, order, descending, head_final=action.head_final)
            case _:
                raise AssertionError(action)
    return order


def _mirrored(words: Words) -> Ints:
    ends = 2 * words.first + words.length - 1
    mirrored: Ints = ends[words.sentence] - np.arange(len(words.sentence))
    return mirrored


def _interleaved(words: Words) -> Ints:
    odd = (np.arange(len(words.sentence)) - words.first[words.sentence]) % 2
    order: Ints = np.argsort(2 * words.sentence + odd, kind="stable")
    return order


def _shuffled(words: Words, order: Ints, action: op.Shuffle, chances: Sequence[Chance]) -> Ints:
    pieces = []
    for first, length, chance in zip(words.first.tolist(), words.length.tolist(), chances, strict=True):
        if action.window is None and not action.by_length:
            word_ids = (order[first : first + length] - first + 1).tolist()
            permuted = sorted(range(length), key=[chance.of("shuffle", word) for word in word_ids].__getitem__)
        else:
            permuted = _permuted_windows(length, action.window or length, chance.seed)
        pieces.append(np.array(permuted, np.int64) + first)
    shuffled: Ints = order[np.concatenate(pieces)]
    return shuffled


def _permuted_windows(length: int, window: int, seed: int) -> list[int]:
    starts = range(0, length, window)
    return [start + index for start in starts for index in permutation(min(window, length - start), seed)]


def _random_directions(words: Words, chances: Sequence[Chance]) -> Flags:
    """Return a random mask of the heads whose dependents are sorted by descending length.

    Only heads with several dependents that are not PUNCT can be in the mask.
    """
    dependents = (words.parent >= 0) & ~words.punct
    heads = np.flatnonzero(np.bincount(words.parent[dependents], minlength=len(words.parent)) > 1)
    descending = np.zeros(len(words.parent), bool)
    word_ids = heads - words.first[words.sentence[heads]] + 1
    sentences_with_heads = zip(words.sentence[heads].tolist(), word_ids.tolist(), strict=True)
    descending[heads] = [chances[sentence].of("chance", head) % 2 == 1 for sentence, head in sentences_with_heads]
    return descending
