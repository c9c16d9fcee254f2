"""Compute the surprisals in bits of all words in a suite."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from runner.model.saved.saved import SavedModel
from runner.score.scoring.batches import causal_plan
from runner.score.scoring.encoded import tokenizer_input
from runner.score.scoring.sentences import Prepared, Scored, check_lengths, default_batch_tokens
from runner.score.scoring.spans import Span, Surprisal, span_positions, surprisal
from runner.score.scoring.word_edges import EdgeLogprobs, word_edges

if TYPE_CHECKING:
    import pyarrow as pa
    from transformers import PreTrainedTokenizerBase


def with_word_edges(saved: SavedModel, prepared: Prepared) -> Prepared:
    """Add the queries that word probabilities need, if any (`runner.score.scoring.word_edges`).

    Raises InputError (FICT816) for a sentence after which the model cannot read another token.
    """
    if prepared.convention.masked:
        return prepared
    words = list(span_positions(saved.tokenizer, *_word_spans(prepared), prepared.sentences))
    edges = word_edges(saved.tokenizer, prepared.sentences, words)
    if edges is None:
        return prepared
    sentences = edges.with_queries(prepared.sentences)
    check_lengths(saved, prepared.texts, sentences[: len(prepared.texts)], prepared.convention)
    return replace(prepared, plan=causal_plan(sentences, default_batch_tokens(saved)), edges=edges)


def word_table(tokenizer: PreTrainedTokenizerBase, prepared: Prepared, scored: Scored) -> pa.Table:
    """Return one row per word, in the order of the sentences. White space separates words, after `tokenise`.

    `sentence` is the index of the scored sentence; the columns of `prepared.keys` identify it in the suite. `surprisal`
    is the surprisal of the word, and `token_surprisal` is the sum over its tokens. The two differ if `with_word_edges`
    has added queries. Both are null if a token of the word is not scored.
    """
    import pyarrow as pa

    texts, spans = _word_spans(prepared)
    unknown_id = tokenizer.unk_token_id
    positions_by_sentence = span_positions(tokenizer, texts, spans, prepared.sentences)
    edge_logprobs: Sequence[EdgeLogprobs] = scored.edge_logprobs or [{}] * len(texts)
    rows = []
    for sentence_index, words in enumerate(positions_by_sentence):
        for index, (span, positions) in enumerate(zip(spans[sentence_index], words, strict=True)):
            word = surprisal(positions, unknown_id, prepared.sentences[sentence_index], scored.tokens[sentence_index])
            bits = _word_surprisal(word, positions, edge_logprobs[sentence_index])
            form = texts[sentence_index][slice(*span)]
            rows.append((sentence_index, index, form, bits, word.bits, word.tokens, word.unknown > 0))
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


def _word_surprisal(word: Surprisal, positions: Sequence[int], edge_logprobs: EdgeLogprobs) -> float | None:
    if word.bits is None or not positions or positions[0] not in edge_logprobs:
        return word.bits
    return max(0.0, word.bits + (edge_logprobs[positions[0]] - edge_logprobs[positions[-1] + 1]) / math.log(2))


def _word_spans(prepared: Prepared) -> tuple[list[str], list[list[Span]]]:
    texts = [tokenizer_input(text, prepared.convention) for text in prepared.texts]
    return texts, [[match.span() for match in re.finditer(r"\S+", text)] for text in texts]
