"""What the probability of a word needs beside its tokens', where the space before a word is part of a token.

Under such a tokenizer the tokens of a word do not say that it ends there, which only the next token tells; and that
one begins there was told by the token before it. With B the probability that the next token begins a word or ends the
text,

    ln p(word | before) = Σ ln p(token | before) + ln B(after the word) − ln B(before the word)

(Pimentel and Meister 2024, *How to compute the probability of a word*; Oh and Schuler 2024). Before the first word of a
text that does not begin with a space, B is the probability of a token that does not either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runner.score.scoring.encoded import Encoded

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

MARKS = ("Ġ", "▁")  # how byte-level tokenizers and SentencePiece write a space
SETS = 1 << 40  # in the place of a token, SETS + i asks for any of set i
SPACED, UNSPACED = SETS, SETS + 1
Words: TypeAlias = Sequence[Sequence[int]]  # the places of the tokens of each word of a sentence
Masses: TypeAlias = Mapping[int, float]  # place to ln B


@dataclass(frozen=True)
class Edges:
    """Where the scored words of some sentences begin and end, in places of their ids.

    `sets` are the ids of tokens that begin with a space (or are no part of a word, such as EOS), and of all others.
    """

    sets: tuple[NDArray[np.int64], NDArray[np.int64]]
    asked: Sequence[Mapping[int, int]]  # of each sentence: place to SPACED or UNSPACED

    def among(self, sentences: Sequence[Encoded]) -> list[Encoded]:
        """The sentences, and after them each edge as a text of its own whose last token is any of a set.

        A prefix is read with its sentence. What comes after the last token of a sentence is asked with the sentence.
        """
        closed = [
            replace(one, ids=(*one.ids, SPACED), end=one.end + 1) if len(one.ids) in asked else one
            for one, asked in zip(sentences, self.asked, strict=True)
        ]
        return [*closed, *self._prefixes(sentences)]

    def _prefixes(self, sentences: Sequence[Encoded]) -> Iterator[Encoded]:
        for sentence, asked in zip(sentences, self.asked, strict=True):
            for place, which in asked.items():
                if place < len(sentence.ids):
                    yield Encoded((*sentence.ids[:place], which), place, place + 1, 0, 0)

    def apart(
        self, sentences: Sequence[Encoded], values: Sequence[NDArray[np.float64]]
    ) -> tuple[list[NDArray[np.float64]], list[Masses]]:
        """The values of `among` to those of the sentences' own tokens, and to ln B at their edges."""
        tokens: list[NDArray[np.float64]] = []
        masses: list[Masses] = []
        rest = iter(values[len(sentences) :])
        for sentence, asked, found in zip(sentences, self.asked, values[: len(sentences)], strict=True):
            tokens.append(found[: sentence.end - sentence.start])
            masses.append({place: float((next(rest) if place < len(sentence.ids) else found)[-1]) for place in asked})
        return tokens, masses


def word_edges(
    tokenizer: PreTrainedTokenizerBase, sentences: Sequence[Encoded], words: Sequence[Words]
) -> Edges | None:
    """The edges of all words of which every token is scored; None if the tokenizer has no space in its tokens."""
    sets = _sets(tokenizer)
    if sets is None:
        return None
    spaced = set(sets[0].tolist())
    return Edges(sets, [_asked(one, parts, spaced) for one, parts in zip(sentences, words, strict=True)])


def _asked(sentence: Encoded, words: Words, spaced: set[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for places in words:
        if places and all(sentence.start <= place < sentence.end for place in places):
            begins = places[0] == sentence.first and sentence.ids[places[0]] not in spaced
            found.setdefault(places[0], UNSPACED if begins else SPACED)
            found[places[-1] + 1] = SPACED
    return found


def _sets(tokenizer: PreTrainedTokenizerBase) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Ids of tokens that begin with a space or stand apart from words, and all others; None without such tokens."""
    second = tokenizer.convert_ids_to_tokens(tokenizer("a a", add_special_tokens=False)["input_ids"])[1:]
    mark = next((mark for mark in MARKS if any(token.startswith(mark) for token in second)), None)
    if mark is None:
        return None
    vocabulary = tokenizer.get_vocab()
    apart = {*tokenizer.all_special_ids, *getattr(tokenizer, "added_tokens_decoder", {})}
    spaced = sorted(apart | {index for token, index in vocabulary.items() if token.startswith(mark)})
    return np.array(spaced, np.int64), np.array(sorted(set(vocabulary.values()) - set(spaced)), np.int64)
