"""Surprisals in bits of the words and spans of a text, from token log-probabilities."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from runner.model.saved import SavedModel, tokenized
from runner.score.batches import BoundaryLogprobs, causal_plan, word_boundaries
from runner.score.convention import Convention
from runner.score.encoding import TOKENIZER_BATCH, Encoded, check_positions, tokenizer_inputs
from runner.score.sentence_scores import Prepared, Scored, Tokens, check_lengths, default_batch_tokens

if TYPE_CHECKING:
    import pyarrow as pa
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


def with_word_boundaries(saved: SavedModel, prepared: Prepared) -> Prepared:
    """Add the positions at which word probabilities also need the probability of a word boundary, if any.

    See `runner.score.batches`.

    Raises InputError (FICT816) for a sentence after which the model cannot read another token.
    """
    if prepared.convention.masked:
        return prepared
    word_positions = list(span_positions(saved.tokenizer, *_word_spans(saved.tokenizer, prepared), prepared.sentences))
    boundaries = word_boundaries(saved.tokenizer, prepared.sentences, word_positions)
    if boundaries is None:
        return prepared
    sentences = boundaries.with_targets(prepared.sentences)
    check_lengths(saved, prepared.texts, sentences[: len(prepared.texts)], prepared.convention, prepared.keys)
    return replace(prepared, plan=causal_plan(sentences, default_batch_tokens(saved)), boundaries=boundaries)


def word_table(tokenizer: PreTrainedTokenizerBase, prepared: Prepared, scored: Scored) -> pa.Table:
    """Return one row per word, in the order of the sentences.

    White space separates words, in the texts as the setting `tokenise` of the convention changes them.

    `sentence` is the index of the scored sentence; the columns of `prepared.keys` identify it in the suite. `surprisal`
    is the surprisal of the word, and `token_surprisal` is the sum over its tokens. The two differ if
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
    schema = {
        "sentence": pa.int32(), "place": pa.int32(), "word": pa.string(), "surprisal": pa.float64(),
        "token_surprisal": pa.float64(), "tokens": pa.int32(), "unknown": pa.bool_(),
    }  # fmt: skip
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    table = pa.table(
        {name: pa.array(column, type_) for (name, type_), column in zip(schema.items(), columns, strict=True)}
    )
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
