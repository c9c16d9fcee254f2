"""Surprisals in bits of the words and spans of a text, from token log-probabilities.

With a tokenizer whose tokens include the leading space of a word, the tokens of a word do not determine that the word
ends; the next token does. The first token of a word also determines that the previous word ends. Let B be the
probability that the next token begins a word or ends the text. Then

    ln p(word | context) = Σ ln p(token | context) + ln B(after the word) − ln B(before the word)

(Pimentel and Meister 2024, *How to compute the probability of a word*; Oh and Schuler 2024). Before the first word of a
text without a leading space, B is the probability of a token without a leading space.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runner.model.saved import SavedModel
from runner.model.tokenizer import tokenized
from runner.score.batches import SPACED, UNSPACED, BoundaryLogprobs, WordBoundaries, causal_plan
from runner.score.convention import Convention
from runner.score.encoding import TOKENIZER_BATCH, Encoded, check_positions, tokenizer_inputs
from runner.score.score_table import table_of
from runner.score.sentence_scores import (
    Prepared,
    Scored,
    Tokens,
    check_lengths,
    default_batch_tokens,
)

if TYPE_CHECKING:
    import pyarrow as pa
    from transformers import PreTrainedTokenizerBase


Span: TypeAlias = tuple[int, int]  # start and end (exclusive) of a range of characters


@dataclass(frozen=True, slots=True)
class Surprisal:
    """−log₂ p of a span, summed over its tokens; None if one is not scored, 0 without tokens."""

    bits: float | None
    tokens: int
    unknown: int


def span_surprisals(
    tokenizer: PreTrainedTokenizerBase,
    texts: Sequence[str],
    spans: Sequence[Sequence[Span]],
    sentences: Sequence[Encoded],
    tokens: Sequence[Tokens],
) -> Iterator[list[Surprisal]]:
    """Yield the surprisals of the character spans of each text, a result of `tokenizer_inputs`."""
    unknown_id = tokenizer.unk_token_id
    positions_by_text = span_positions(tokenizer, texts, spans, sentences)
    for text_positions, sentence, values in zip(positions_by_text, sentences, tokens, strict=True):
        yield [surprisal(positions, unknown_id, sentence, values) for positions in text_positions]


def span_positions(
    tokenizer: PreTrainedTokenizerBase,
    texts: Sequence[str],
    spans: Sequence[Sequence[Span]],
    sentences: Sequence[Encoded],
) -> Iterator[list[list[int]]]:
    """Yield the token positions of the spans of each text, with a space before a span, by a token's last character."""
    check_positions(tokenizer)
    for begin in range(0, len(texts), TOKENIZER_BATCH):
        batch = slice(begin, begin + TOKENIZER_BATCH)
        encoded = tokenized(tokenizer, texts[batch], add_special_tokens=False, return_offsets_mapping=True)
        for text, text_spans, token_offsets, sentence in zip(
            texts[batch], spans[batch], encoded["offset_mapping"], sentences[batch], strict=True
        ):
            yield _token_positions(text, text_spans, token_offsets, sentence.text_start)


def _token_positions(text: str, spans: Sequence[Span], offsets: Sequence[Span], text_start: int) -> list[list[int]]:
    span_of_character = [-1] * (len(text) + 1)
    for index, (start, end) in enumerate(spans):
        span_of_character[start:end] = [index] * (end - start)
    for position in reversed(range(len(text))):
        if span_of_character[position] < 0:
            span_of_character[position] = span_of_character[position + 1]
    positions: list[list[int]] = [[] for _ in spans]
    for position, (start, end) in enumerate(offsets, text_start):
        index = span_of_character[max(start, end - 1)]
        if index >= 0:
            positions[index].append(position)
    return positions


def surprisal(positions: Sequence[int], unknown_id: int | None, sentence: Encoded, tokens: Tokens) -> Surprisal:
    scored = all(sentence.start <= position < sentence.end for position in positions)
    bits = -math.fsum(tokens[position - sentence.start] for position in positions) / math.log(2) if scored else None
    return Surprisal(bits, len(positions), sum(sentence.ids[position] == unknown_id for position in positions))


def join_regions(
    regions: Sequence[str], tokenizer: PreTrainedTokenizerBase, convention: Convention
) -> tuple[str, list[Span]]:
    text, spans = " " if convention.leading_space == "yes" else "", []
    for region_text in map(str.strip, tokenizer_inputs(regions, tokenizer, convention)):
        if region_text and text.strip():
            text += " "
        spans.append((len(text), len(text) + len(region_text)))
        text += region_text
    return text, spans


SPACE_MARKS = ("Ġ", "▁", " ")  # a space in byte-level tokenizers, in SentencePiece and in tokenizers of characters
Words: TypeAlias = Sequence[Sequence[int]]  # token positions of each word of a sentence


def word_boundaries(
    tokenizer: PreTrainedTokenizerBase, sentences: Sequence[Encoded], words: Sequence[Words]
) -> WordBoundaries | None:
    """Return the boundaries of all fully scored words, or None if the tokenizer has no tokens with a leading space."""
    token_sets = _token_sets(tokenizer)
    if token_sets is None:
        return None
    spaced_ids = set(token_sets[0].tolist())
    pairs = zip(sentences, words, strict=True)
    return WordBoundaries(token_sets, [_targets(sentence, of_sentence, spaced_ids) for sentence, of_sentence in pairs])


def _targets(sentence: Encoded, words: Words, spaced_ids: set[int]) -> dict[int, int]:
    targets: dict[int, int] = {}
    for positions in words:
        if positions and all(sentence.start <= position < sentence.end for position in positions):
            has_no_space = positions[0] == sentence.text_start and sentence.ids[positions[0]] not in spaced_ids
            targets.setdefault(positions[0], UNSPACED if has_no_space else SPACED)
            targets[positions[-1] + 1] = SPACED
    return targets


def _token_sets(tokenizer: PreTrainedTokenizerBase) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    (ids,) = tokenized(tokenizer, ["a a"], add_special_tokens=False)["input_ids"]
    tokens = tokenizer.convert_ids_to_tokens(ids)[1:]
    mark = next((mark for mark in SPACE_MARKS if any(token.startswith(mark) for token in tokens)), None)
    if mark is None:
        return None
    vocabulary = tokenizer.get_vocab()
    special = {*tokenizer.all_special_ids, *getattr(tokenizer, "added_tokens_decoder", {})}
    spaced_ids = sorted(special | {token_id for token, token_id in vocabulary.items() if token.startswith(mark)})
    return np.array(spaced_ids, np.int64), np.array(sorted(set(vocabulary.values()) - set(spaced_ids)), np.int64)


def with_word_boundaries(saved: SavedModel, prepared: Prepared) -> Prepared:
    """Add the positions at which word probabilities also need the probability of a word boundary, if any."""
    if prepared.convention.masked:
        return prepared
    word_positions = list(span_positions(saved.tokenizer, *_word_spans(saved.tokenizer, prepared), prepared.sentences))
    boundaries = word_boundaries(saved.tokenizer, prepared.sentences, word_positions)
    if boundaries is None:
        return prepared
    sentences = boundaries.with_targets(prepared.sentences)
    check_lengths(saved, prepared.texts, sentences[: len(prepared.texts)], prepared.convention, prepared.keys)
    return replace(prepared, plan=causal_plan(sentences, default_batch_tokens(saved)), boundaries=boundaries)


_WORD_TYPES = {
    "sentence": "int32", "place": "int32", "word": "string", "surprisal": "float64", "token_surprisal": "float64",
    "tokens": "int32", "unknown": "bool",
}  # fmt: skip


def word_table(tokenizer: PreTrainedTokenizerBase, prepared: Prepared, scored: Scored) -> pa.Table:
    """Return one row per word, separated by white space, in the order of the sentences.

    `surprisal` is that of the word, and `token_surprisal` the sum over its tokens: they differ if
    `with_word_boundaries` has added positions. Both are null if a token of the word is not scored.
    """
    import pyarrow as pa

    texts, spans = _word_spans(tokenizer, prepared)
    unknown_id = tokenizer.unk_token_id
    positions_by_sentence = span_positions(tokenizer, texts, spans, prepared.sentences)
    boundary_logprobs: Sequence[BoundaryLogprobs] = scored.boundary_logprobs or [{}] * len(texts)
    rows = []
    for sentence_index, word_positions in enumerate(positions_by_sentence):
        for index, (span, positions) in enumerate(zip(spans[sentence_index], word_positions, strict=True)):
            token_surprisal = surprisal(
                positions, unknown_id, prepared.sentences[sentence_index], scored.tokens[sentence_index]
            )
            bits = _word_surprisal(token_surprisal, positions, boundary_logprobs[sentence_index])
            key = sentence_index, index, texts[sentence_index][slice(*span)]
            rows.append((*key, bits, token_surprisal.bits, token_surprisal.tokens, token_surprisal.unknown > 0))
    table = table_of(rows, _WORD_TYPES)
    for index, (name, values) in enumerate(prepared.keys.items(), 1):
        column = pa.array([values[row[0]] for row in rows], pa.int32() if name == "item" else pa.string())
        table = table.add_column(index, name, column)
    return table


def _word_surprisal(
    token_surprisal: Surprisal, positions: Sequence[int], boundary_logprobs: BoundaryLogprobs
) -> float | None:
    if token_surprisal.bits is None or not positions or positions[0] not in boundary_logprobs:
        return token_surprisal.bits
    correction = boundary_logprobs[positions[0]] - boundary_logprobs[positions[-1] + 1]
    return max(0.0, token_surprisal.bits + correction / math.log(2))


def _word_spans(tokenizer: PreTrainedTokenizerBase, prepared: Prepared) -> tuple[list[str], list[list[Span]]]:
    texts = tokenizer_inputs(prepared.texts, tokenizer, prepared.convention)
    return texts, [[match.span() for match in re.finditer(r"\S+", text)] for text in texts]
