"""Sentences of a suite and what a model gives them to the surprisal of every word, in bits."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from runner.model.saved import SavedModel
from runner.score.scoring.batches import causal_work
from runner.score.scoring.encoded import prepared
from runner.score.scoring.sentences import Prepared, Scored, check_lengths
from runner.score.scoring.spans import Span, Surprisal, span_places, surprisal
from runner.score.scoring.word_edges import Masses, word_edges

if TYPE_CHECKING:
    import pyarrow as pa
    from transformers import PreTrainedTokenizerBase


def ask_words(saved: SavedModel, asked: Prepared) -> Prepared:
    """Ask too what the words' probabilities need beside the tokens' (`runner.score.scoring.word_edges`), if anything.

    InputError (FICT816) for a sentence after which the model cannot read another token.
    """
    if asked.convention.masked:
        return asked
    words = list(span_places(saved.tokenizer, *_spans(asked), asked.sentences))
    edges = word_edges(saved.tokenizer, asked.sentences, words)
    if edges is None:
        return asked
    sentences = edges.among(asked.sentences)
    check_lengths(saved, asked.texts, sentences[: len(asked.texts)], asked.convention)
    return replace(asked, work=causal_work(sentences), edges=edges)


def word_table(tokenizer: PreTrainedTokenizerBase, asked: Prepared, scored: Scored) -> pa.Table:
    """One row a word, in the order of the sentences: words are what spaces separate, after `tokenise`.

    `sentence` counts those that were asked; the columns of `asked.keys` after it say which one of the suite it is.
    `surprisal` is that of the word; `token_surprisal` the sum over its tokens, which differs where `ask_words` asked.
    """
    import pyarrow as pa

    texts, spans = _spans(asked)
    unknown = tokenizer.unk_token_id
    found = span_places(tokenizer, texts, spans, asked.sentences)
    masses: Sequence[Masses] = scored.masses or [{}] * len(texts)
    rows = []
    for number, words in enumerate(found):
        for place, (span, tokens) in enumerate(zip(spans[number], words, strict=True)):
            word = surprisal(tokens, unknown, asked.sentences[number], scored.tokens[number])
            bits = _of_word(word, tokens, masses[number])
            rows.append((number, place, texts[number][slice(*span)], bits, word.bits, word.tokens, word.unknown > 0))
    schema = {
        "sentence": pa.int32(), "place": pa.int32(), "word": pa.string(), "surprisal": pa.float64(),
        "token_surprisal": pa.float64(), "tokens": pa.int32(), "unknown": pa.bool_(),
    }  # fmt: skip
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    table = pa.table(
        {name: pa.array(column, kind) for (name, kind), column in zip(schema.items(), columns, strict=True)}
    )
    for place, (name, values) in enumerate(asked.keys.items(), 1):
        column = pa.array([values[row[0]] for row in rows], pa.int32() if name == "item" else pa.string())
        table = table.add_column(place, name, column)
    return table


def _of_word(word: Surprisal, places: Sequence[int], masses: Masses) -> float | None:
    if word.bits is None or not places or places[0] not in masses:
        return word.bits
    return max(0.0, word.bits + (masses[places[0]] - masses[places[-1] + 1]) / math.log(2))


def _spans(asked: Prepared) -> tuple[list[str], list[list[Span]]]:
    texts = [prepared(text, asked.convention) for text in asked.texts]
    return texts, [[match.span() for match in re.finditer(r"\S+", text)] for text in texts]
