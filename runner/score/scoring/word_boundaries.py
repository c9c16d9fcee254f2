"""Correct word probabilities for tokenizers whose tokens include the leading space of a word.

With such a tokenizer, the tokens of a word do not determine that the word ends; the next token does. The first token of
a word also determines that the previous word ends. Let B be the probability that the next token begins a word or ends
the text. Then

    ln p(word | context) = Σ ln p(token | context) + ln B(after the word) − ln B(before the word)

(Pimentel and Meister 2024, *How to compute the probability of a word*; Oh and Schuler 2024). Before the first word of a
text without a leading space, B is the probability of a token without a leading space.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runner.model.saved.tokenized import tokenized
from runner.score.scoring.encoded import Encoded

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

SPACE_MARKS = ("Ġ", "▁", " ")  # a space in byte-level tokenizers, in SentencePiece and in tokenizers of characters
TOKEN_SETS = 1 << 40  # the target TOKEN_SETS + i stands for any token of set i
SPACED, UNSPACED = TOKEN_SETS, TOKEN_SETS + 1
Words: TypeAlias = Sequence[Sequence[int]]  # token positions of each word of a sentence
BoundaryLogprobs: TypeAlias = Mapping[int, float]  # position → ln B


@dataclass(frozen=True)
class WordBoundaries:
    """The positions of token ids at which the scored words of sentences begin or end.

    The first of `token_sets` has the ids of tokens with a leading space or outside words (such as EOS), the second
    those of all other tokens.
    """

    token_sets: tuple[NDArray[np.int64], NDArray[np.int64]]
    targets: Sequence[Mapping[int, int]]  # for each sentence: position → SPACED or UNSPACED

    def with_targets(self, sentences: Sequence[Encoded]) -> list[Encoded]:
        """Return the sentences, followed by one sequence for each boundary inside a sentence.

        The last id of a sequence stands for a token set. The other ids are a prefix of its sentence, so the sequence
        needs no row of its own. A boundary after the last token of a sentence is appended to the sentence instead.
        """
        extended = [
            replace(sentence, ids=(*sentence.ids, SPACED), end=sentence.end + 1)
            if len(sentence.ids) in targets
            else sentence
            for sentence, targets in zip(sentences, self.targets, strict=True)
        ]
        return [*extended, *self._boundary_sequences(sentences)]

    def _boundary_sequences(self, sentences: Sequence[Encoded]) -> Iterator[Encoded]:
        for sentence, targets in zip(sentences, self.targets, strict=True):
            for position, target in targets.items():
                if position < len(sentence.ids):
                    yield Encoded((*sentence.ids[:position], target), position, position + 1, 0, 0)

    def separate(
        self, sentences: Sequence[Encoded], values: Sequence[NDArray[np.float64]]
    ) -> tuple[list[NDArray[np.float64]], list[BoundaryLogprobs]]:
        """Split the log-probabilities of `with_targets` into those of the tokens and ln B at the boundaries."""
        tokens: list[NDArray[np.float64]] = []
        boundary_logprobs: list[BoundaryLogprobs] = []
        boundary_values = iter(values[len(sentences) :])
        for sentence, targets, sentence_values in zip(sentences, self.targets, values[: len(sentences)], strict=True):
            tokens.append(sentence_values[: sentence.end - sentence.start])
            boundary_logprobs.append(
                {
                    position: float((next(boundary_values) if position < len(sentence.ids) else sentence_values)[-1])
                    for position in targets
                }
            )
        return tokens, boundary_logprobs


def word_boundaries(
    tokenizer: PreTrainedTokenizerBase, sentences: Sequence[Encoded], words: Sequence[Words]
) -> WordBoundaries | None:
    """Return the boundaries of all fully scored words, or None if the tokenizer has no tokens with a leading space."""
    token_sets = _token_sets(tokenizer)
    if token_sets is None:
        return None
    spaced_ids = set(token_sets[0].tolist())
    return WordBoundaries(
        token_sets,
        [
            _targets(sentence, sentence_words, spaced_ids)
            for sentence, sentence_words in zip(sentences, words, strict=True)
        ],
    )


def _targets(sentence: Encoded, words: Words, spaced_ids: set[int]) -> dict[int, int]:
    targets: dict[int, int] = {}
    for positions in words:
        if positions and all(sentence.start <= position < sentence.end for position in positions):
            has_no_space = positions[0] == sentence.text_start and sentence.ids[positions[0]] not in spaced_ids
            targets.setdefault(positions[0], UNSPACED if has_no_space else SPACED)
            targets[positions[-1] + 1] = SPACED
    return targets


def _token_sets(tokenizer: PreTrainedTokenizerBase) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Return the `token_sets` of a vocabulary, or None if it has no tokens with a leading space."""
    (ids,) = tokenized(tokenizer, ["a a"], add_special_tokens=False)["input_ids"]
    tokens = tokenizer.convert_ids_to_tokens(ids)[1:]
    mark = next((mark for mark in SPACE_MARKS if any(token.startswith(mark) for token in tokens)), None)
    if mark is None:
        return None
    vocabulary = tokenizer.get_vocab()
    special = {*tokenizer.all_special_ids, *getattr(tokenizer, "added_tokens_decoder", {})}
    spaced_ids = sorted(special | {token_id for token, token_id in vocabulary.items() if token.startswith(mark)})
    return np.array(spaced_ids, np.int64), np.array(sorted(set(vocabulary.values()) - set(spaced_ids)), np.int64)
