"""Compute the surprisals in bits of all words in a suite."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from runner.model.saved.saved import SavedModel
from runner.score.scoring.batches import causal_plan
from runner.score.scoring.encoded import tokenizer_inputs
from runner.score.scoring.sentences import Prepared, Scored, check_lengths, default_batch_tokens
from runner.score.scoring.spans import Span, Surprisal, span_positions, surprisal
from runner.score.scoring.word_boundaries import BoundaryLogprobs, word_boundaries

if TYPE_CHECKING:
    import pyarrow as pa
    from transformers import PreTrainedTokenizerBase


def with_word_boundaries(saved: SavedModel, prepared: Prepared) -> Prepared:
    """Add the positions at which word probabilities also need the probability of a word boundary, if any.

    See `runner.score.scoring.word_boundaries`.

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
