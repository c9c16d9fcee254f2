"""Token scores to the surprisal of spans of a text, such as words or regions, in bits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from runner.score.scoring.convention import Convention
from runner.score.scoring.encoded import TOGETHER, Encoded, prepared
from runner.score.scoring.sentences import Tokens

if TYPE_CHECKING:
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
    """For every text, as the tokenizer gets it, the surprisals of its spans of characters, of whose tokens each is."""
    unknown = tokenizer.unk_token_id
    found = span_places(tokenizer, texts, spans, sentences)
    for places, sentence, values in zip(found, sentences, tokens, strict=True):
        yield [surprisal(some, unknown, sentence, values) for some in places]


def span_places(
    tokenizer: PreTrainedTokenizerBase,
    texts: Sequence[str],
    spans: Sequence[Sequence[Span]],
    sentences: Sequence[Encoded],
) -> Iterator[list[list[int]]]:
    """For every text, as the tokenizer gets it, where among its ids the tokens of its spans of characters are.

    A token belongs to the span of its last character, and a space before a span to that span.
    """
    for begin in range(0, len(texts), TOGETHER):
        part = slice(begin, begin + TOGETHER)
        offsets = tokenizer(list(texts[part]), add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
        for text, some, pieces, sentence in zip(texts[part], spans[part], offsets, sentences[part], strict=True):
            yield _of_text(text, some, pieces, sentence.first)


def _of_text(text: str, spans: Sequence[Span], offsets: Sequence[Span], first: int) -> list[list[int]]:
    owner = [-1] * (len(text) + 1)
    for index, (start, end) in enumerate(spans):
        owner[start:end] = [index] * (end - start)
    for place in reversed(range(len(text))):
        if owner[place] < 0:
            owner[place] = owner[place + 1]
    parts: list[list[int]] = [[] for _ in spans]
    for place, (start, end) in enumerate(offsets, first):
        index = owner[max(start, end - 1)]
        if index >= 0:
            parts[index].append(place)
    return parts


def surprisal(places: Sequence[int], unknown: int | None, sentence: Encoded, tokens: Tokens) -> Surprisal:
    """The tokens at some places of a sentence, of which those that are scored have the values `tokens`."""
    scored = all(sentence.start <= place < sentence.end for place in places)
    bits = -math.fsum(tokens[place - sentence.start] for place in places) / math.log(2) if scored else None
    return Surprisal(bits, len(places), sum(sentence.ids[place] == unknown for place in places))


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
