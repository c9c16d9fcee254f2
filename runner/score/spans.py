"""Token scores to the surprisal of words, or of any spans of a text, in bits."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from runner.score.convention import Convention
from runner.score.encoded import TOGETHER, Encoded, prepared
from runner.score.sentences import Prepared, Scored, Tokens

if TYPE_CHECKING:
    import pyarrow as pa
    from transformers import PreTrainedTokenizerBase

Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Surprisal:
    """−log₂ p of a span: the sum over its tokens, None where one of them is not scored, 0 where it has none."""

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
    """For every text, as the tokenizer gets it, the surprisals of its spans of characters.

    A token belongs to the span of its last character, and a space before a span to that span.
    """
    for begin in range(0, len(texts), TOGETHER):
        part = slice(begin, begin + TOGETHER)
        offsets = tokenizer(list(texts[part]), add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
        for row in zip(texts[part], spans[part], offsets, sentences[part], tokens[part], strict=True):
            yield _of_text(tokenizer.unk_token_id, *row)


def _of_text(
    unknown: int | None, text: str, spans: Sequence[Span], offsets: Sequence[Span], sentence: Encoded, tokens: Tokens
) -> list[Surprisal]:
    owner = [-1] * (len(text) + 1)
    for index, (start, end) in enumerate(spans):
        owner[start:end] = [index] * (end - start)
    for place in reversed(range(len(text))):
        if owner[place] < 0:
            owner[place] = owner[place + 1]
    parts: list[list[int]] = [[] for _ in spans]
    for place, (start, end) in enumerate(offsets, sentence.first):
        index = owner[max(start, end - 1)]
        if index >= 0:
            parts[index].append(place)
    return [_sum(places, unknown, sentence, tokens) for places in parts]


def _sum(places: Sequence[int], unknown: int | None, sentence: Encoded, tokens: Tokens) -> Surprisal:
    scored = all(sentence.start <= place < sentence.end for place in places)
    bits = -math.fsum(tokens[place - sentence.start] for place in places) / math.log(2) if scored else None
    return Surprisal(bits, len(places), sum(sentence.ids[place] == unknown for place in places))


def word_table(tokenizer: PreTrainedTokenizerBase, asked: Prepared, scored: Scored) -> pa.Table:
    """One row a word, in the order of the sentences: words are what spaces separate, after `tokenise`.

    `sentence` counts those that were asked; the columns of `asked.keys` after it say which one of the suite it is.
    """
    import pyarrow as pa

    texts = [prepared(text, asked.convention) for text in asked.texts]
    spans = [[match.span() for match in re.finditer(r"\S+", text)] for text in texts]
    found = span_surprisals(tokenizer, texts, spans, asked.sentences, scored.tokens)
    rows = [
        (sentence, number, text[slice(*span)], word.bits, word.tokens, word.unknown > 0)
        for sentence, (text, where, words) in enumerate(zip(texts, spans, found, strict=True))
        for number, (span, word) in enumerate(zip(where, words, strict=True))
    ]
    schema = {
        "sentence": pa.int32(), "place": pa.int32(), "word": pa.string(), "surprisal": pa.float64(),
        "tokens": pa.int32(), "unknown": pa.bool_(),
    }  # fmt: skip
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    table = pa.table(
        {name: pa.array(column, kind) for (name, kind), column in zip(schema.items(), columns, strict=True)}
    )
    for place, (name, values) in enumerate(asked.keys.items(), 1):
        column = pa.array([values[row[0]] for row in rows], pa.int32() if name == "item" else pa.string())
        table = table.add_column(place, name, column)
    return table


def joined(parts: Sequence[str], convention: Convention) -> tuple[str, list[Span]]:
    """Parts of a sentence as the tokenizer gets them, with a space between any two, and where each stands."""
    text, spans = " " if convention.leading_space == "yes" else "", []
    for part in parts:
        words = prepared(part, convention).strip()
        if words and text.strip():
            text += " "
        spans.append((len(text), len(text) + len(words)))
        text += words
    return text, spans
