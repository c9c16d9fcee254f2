"""Surprisals in bits of spans of a text, such as words or regions, from token log-probabilities."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from runner.model.saved.tokenized import tokenized
from runner.score.scoring.convention import Convention
from runner.score.scoring.encoded import TOKENIZER_BATCH, Encoded, check_positions, tokenizer_inputs
from runner.score.scoring.sentences import Tokens

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

Span: TypeAlias = tuple[int, int]  # start and end (exclusive) of a range of characters


@dataclass(frozen=True, slots=True)
class Surprisal:
    """−log₂ p of a span, summed over its tokens: None if a token is not scored, 0 for a span without tokens.

    `tokens` is the number of tokens, and `unknown` the number of unknown ones.
    """

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
    """Yield the surprisals of the character spans of each text.

    `texts` are results of `tokenizer_inputs`. `tokens` are the log-probabilities of their scored tokens.
    """
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
    """Yield the token positions of the character spans of each text. `texts` are results of `tokenizer_inputs`.

    A token belongs to the span of its last character. A space before a span belongs to that span. Raises InputError
    (FICT801) for a tokenizer that reports no positions.
    """
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
    """Return the surprisal of the tokens at `positions`. `tokens` are the log-probabilities of the scored tokens."""
    scored = all(sentence.start <= position < sentence.end for position in positions)
    bits = -math.fsum(tokens[position - sentence.start] for position in positions) / math.log(2) if scored else None
    return Surprisal(bits, len(positions), sum(sentence.ids[position] == unknown_id for position in positions))


def join_regions(
    regions: Sequence[str], tokenizer: PreTrainedTokenizerBase, convention: Convention
) -> tuple[str, list[Span]]:
    """Join regions with spaces, as the tokenizer reads them. Return the text and the span of each region."""
    text, spans = " " if convention.leading_space == "yes" else "", []
    for region_text in map(str.strip, tokenizer_inputs(regions, tokenizer, convention)):
        if region_text and text.strip():
            text += " "
        spans.append((len(text), len(text) + len(region_text)))
        text += region_text
    return text, spans
