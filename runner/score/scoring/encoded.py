"""Sentences to id sequences with the tokens that count marked, as a convention says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.saved import refusing
from runner.model.tokenizer import split_words
from runner.score.scoring.convention import Convention, context_id
from runner.score.suites.suite import Pair, Suite

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

TOGETHER = 10_000  # texts given to the tokenizer at once
Prefixed: TypeAlias = tuple[str, str]  # what is read but not scored, and the whole text, which begins with it


@dataclass(frozen=True, slots=True)
class Encoded:
    """One sentence: `ids` as the model reads them, of which those from place `start` up to `end` are scored."""

    ids: tuple[int, ...]
    start: int
    end: int
    tokens: int  # of the sentence itself, without context and closing token
    unknown: int
    words: tuple[int, ...] = ()  # which word each id is of, where whole words are masked
    first: int = 0  # place of the first token of the sentence itself

    @property
    def scored(self) -> tuple[int, ...]:
        """The ids whose probabilities count."""
        return self.ids[self.start : self.end]


EncodedPair: TypeAlias = tuple[Encoded, Encoded]


def encode_suite(
    suite: Suite, tokenizer: PreTrainedTokenizerBase, convention: Convention, about: Mapping[str, Any], model: object
) -> list[EncodedPair | None]:
    """Both sentences of every pair; None for a pair without the prefix that `part` asks for."""
    applicable = [pair for pair in suite.items if convention.part in ("full", pair.prefix_method)]
    texts = [text for pair in applicable for text in texts_of(pair, convention)]
    found = iter(encode_texts(texts, tokenizer, convention, about, model))
    pairs = {id(pair): (next(found), next(found)) for pair in applicable}
    return [pairs.get(id(pair)) for pair in suite.items]


def texts_of(pair: Pair, convention: Convention) -> tuple[Prefixed, Prefixed]:
    """What is scored of a pair: both sentences, or both critical words after their prefixes."""
    if convention.part == "full":
        return ("", pair.good), ("", pair.bad)
    good, bad = (
        (prefix, f"{prefix} {word.strip()}".strip()) for prefix, word in zip(pair.prefixes, pair.words, strict=True)
    )
    return good, bad


def encode_texts(
    texts: Sequence[Prefixed],
    tokenizer: PreTrainedTokenizerBase,
    convention: Convention,
    about: Mapping[str, Any],
    model: object,
) -> list[Encoded]:
    """Every text in order. `about` is what a model's training recorded, `model` its name for messages."""
    if convention.masked:
        return _between_specials(texts, tokenizer, convention)
    context, closing = context_id(convention, tokenizer, about, model), _closing(convention, tokenizer, model)
    before = () if context is None else (context,)
    # a critical word is scored after its prefix; what closes the sentence is not part of it
    after = () if closing is None or convention.part != "full" else (closing,)
    unknown = tokenizer.unk_token_id
    encoded = []
    for given, ids in zip(_given(texts, tokenizer, convention), _ids(texts, tokenizer, convention), strict=True):
        skipped = given
        if given == 0 and (context is None or convention.first_token == "skipped"):
            skipped = 1
        whole = (*before, *ids, *after)
        encoded.append(Encoded(whole, len(before) + skipped, len(whole), len(ids), ids.count(unknown), (), len(before)))
    return encoded


def _closing(convention: Convention, tokenizer: PreTrainedTokenizerBase, model: object) -> int | None:
    if convention.eos == "skipped":
        return None
    if tokenizer.eos_token_id is None:
        raise InputError(diagnostic("FICT815", model=model, token="EOS", setting="eos = scored"))
    return int(tokenizer.eos_token_id)


def _between_specials(
    texts: Sequence[Prefixed], tokenizer: PreTrainedTokenizerBase, convention: Convention
) -> list[Encoded]:
    """Texts as a masked model reads them, between the special tokens that its tokenizer adds."""
    unknown, by_word = tokenizer.unk_token_id, convention.probability == "pll_l2r"
    given = iter(_given(texts, tokenizer, convention))
    encoded = []
    for part in _parts(texts):
        special_tokens = convention.context != "none"
        batch = _tokenized(
            part, tokenizer, convention, add_special_tokens=special_tokens, return_special_tokens_mask=True
        )
        for row, (ids, special) in enumerate(zip(batch["input_ids"], batch["special_tokens_mask"], strict=True)):
            start = special.index(0) if 0 in special else len(special)
            end = len(special) - special[::-1].index(0) if 0 in special else start
            skipped = next(given) or int(convention.first_token == "skipped")
            words = tuple(-1 if word is None else word for word in batch.word_ids(row)) if by_word else ()
            unknowns = ids[start:end].count(unknown)
            encoded.append(Encoded(tuple(ids), min(start + skipped, end), end, end - start, unknowns, words, start))
    return encoded


def _given(texts: Sequence[Prefixed], tokenizer: PreTrainedTokenizerBase, convention: Convention) -> Iterator[int]:
    """How many tokens the prefix of each text has."""
    if convention.part == "full":
        return (0 for _ in texts)
    return (len(ids) for ids in _ids([("", prefix) for prefix, _ in texts], tokenizer, convention))


def _ids(
    texts: Sequence[Prefixed], tokenizer: PreTrainedTokenizerBase, convention: Convention
) -> Iterator[Sequence[int]]:
    for part in _parts(texts):
        yield from _tokenized(part, tokenizer, convention, add_special_tokens=False)["input_ids"]


def _tokenized(
    part: Sequence[Prefixed], tokenizer: PreTrainedTokenizerBase, convention: Convention, **options: bool
) -> Any:
    """What the tokenizer makes of texts; InputError (FICT801) where it fails, as without an unknown token."""
    with refusing(Path(tokenizer.name_or_path)):
        return tokenizer([prepared(text, convention) for _, text in part], **options)


def _parts(texts: Sequence[Prefixed]) -> Iterator[Sequence[Prefixed]]:
    for begin in range(0, len(texts), TOGETHER):
        yield texts[begin : begin + TOGETHER]


def prepared(text: str, convention: Convention) -> str:
    """A text as the tokenizer gets it."""
    if not text:
        return text
    if convention.tokenise != "none":
        text = " ".join(split_words(text, convention.tokenise))
    return " " + text if convention.leading_space == "yes" else text
