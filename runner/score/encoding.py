"""Encode sentences as token ids under a scoring convention, with the range of scored tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from runner.errors import InputError
from runner.model.tokenizer import Split, split_words, tokenized, unsplit_pattern
from runner.score.convention import Convention, context_id
from runner.score.suite_files import Pair, Suite

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


TOKENIZER_BATCH = 10_000  # texts per call of the tokenizer
Prefixed: TypeAlias = tuple[str, str]  # an unscored prefix, and the text that starts with it


@dataclass(frozen=True, slots=True)
class Encoded:
    """The token ids of a sentence as the model reads them. Those from `start` to `end` (exclusive) are scored."""

    ids: tuple[int, ...]
    start: int
    end: int
    token_count: int  # of the sentence, without context and closing token
    unknown_count: int
    words: tuple[int, ...] = ()  # for `pll_l2r`: the word index of each id, -1 for special tokens
    text_start: int = 0  # index of the sentence's first token

    @property
    def scored(self) -> tuple[int, ...]:
        return self.ids[self.start : self.end]


EncodedPair: TypeAlias = tuple[Encoded, Encoded]


def encode_suite(
    suite: Suite,
    tokenizer: PreTrainedTokenizerBase,
    convention: Convention,
    about: Mapping[str, Any],
    model_name: object,
) -> list[EncodedPair | None]:
    """Encode both sentences of every pair. The result is None for a pair without the prefix that `part` needs."""
    applicable = [pair for pair in suite.items if convention.part in ("full", pair.prefix_method)]
    if convention.part != "full":
        convention = replace(convention, eos="skipped")  # a critical word does not end its sentence
    texts = [text for pair in applicable for text in texts_of(pair, convention)]
    encoded = iter(encode_texts(texts, tokenizer, convention, about, model_name))
    pairs = {id(pair): (next(encoded), next(encoded)) for pair in applicable}
    return [pairs.get(id(pair)) for pair in suite.items]


def texts_of(pair: Pair, convention: Convention) -> tuple[Prefixed, Prefixed]:
    """Return the prefix that is not scored, empty if `part` is `full`, and the text of each sentence of a pair."""
    if convention.part == "full":
        return ("", pair.good), ("", pair.bad)
    good, bad = (
        (prefix.strip(), f"{prefix.strip()} {word.strip()}".strip())
        for prefix, word in zip(pair.prefixes, pair.words, strict=True)
    )
    return good, bad


def encode_texts(
    texts: Sequence[Prefixed],
    tokenizer: PreTrainedTokenizerBase,
    convention: Convention,
    about: Mapping[str, Any],
    model_name: object,
) -> list[Encoded]:
    """Encode texts in order. Raises InputError (FICT815 for a token that the tokenizer lacks, FICT801 if it fails)."""
    if convention.masked:
        return _encode_for_masked_model(texts, tokenizer, convention)
    context_token_id = context_id(convention, tokenizer, about, model_name)
    closing_id = _closing_id(convention, tokenizer, model_name)
    leading_ids = () if context_token_id is None else (context_token_id,)
    trailing_ids = () if closing_id is None else (closing_id,)
    skips_first = context_token_id is None or convention.first_token == "skipped"
    unknown_id, text_start = tokenizer.unk_token_id, len(leading_ids)
    encoded = []
    prefix_lengths = _prefix_lengths(texts, tokenizer, convention)
    for prefix_length, ids in zip(prefix_lengths, _ids(texts, tokenizer, convention), strict=True):
        all_ids, start = (*leading_ids, *ids, *trailing_ids), text_start + (prefix_length or int(skips_first))
        encoded.append(Encoded(all_ids, start, len(all_ids), len(ids), ids.count(unknown_id), (), text_start))
    return encoded


def _closing_id(convention: Convention, tokenizer: PreTrainedTokenizerBase, model_name: object) -> int | None:
    if convention.eos == "skipped":
        return None
    if tokenizer.eos_token_id is None:
        raise InputError.of("FICT815", model=model_name, token="EOS", setting="eos = scored")
    return int(tokenizer.eos_token_id)


def check_positions(tokenizer: PreTrainedTokenizerBase) -> None:
    """Raise InputError (FICT801) for a tokenizer written in Python, which reports no positions of its tokens."""
    if not tokenizer.is_fast:
        reason = "its tokenizer is written in Python and reports no positions of tokens, which regions and words need"
        raise InputError.of("FICT801", path=tokenizer.name_or_path, reason=reason)


def _encode_for_masked_model(
    texts: Sequence[Prefixed], tokenizer: PreTrainedTokenizerBase, convention: Convention
) -> list[Encoded]:
    unknown_id, by_word = tokenizer.unk_token_id, convention.probability == "pll_l2r"
    if by_word:
        check_positions(tokenizer)
    prefix_lengths = iter(_prefix_lengths(texts, tokenizer, convention))
    encoded = []
    for batch_texts in _tokenizer_batches(texts):
        add_special_tokens = convention.context != "none"
        inputs = tokenizer_inputs([text for _, text in batch_texts], tokenizer, convention)
        options = {"add_special_tokens": add_special_tokens, "return_special_tokens_mask": True}
        batch = tokenized(tokenizer, inputs, **options)
        for row, (ids, special_mask) in enumerate(zip(batch["input_ids"], batch["special_tokens_mask"], strict=True)):
            start = special_mask.index(0) if 0 in special_mask else len(special_mask)
            end = len(special_mask) - special_mask[::-1].index(0) if 0 in special_mask else start
            skipped = next(prefix_lengths) or int(convention.first_token == "skipped")
            words = tuple(-1 if word is None else word for word in batch.word_ids(row)) if by_word else ()
            unknown_count = ids[start:end].count(unknown_id)
            first = min(start + skipped, end)
            encoded.append(Encoded(tuple(ids), first, end, end - start, unknown_count, words, start))
    return encoded


def _prefix_lengths(
    texts: Sequence[Prefixed], tokenizer: PreTrainedTokenizerBase, convention: Convention
) -> Iterator[int]:
    if convention.part == "full":
        return (0 for _ in texts)
    return (len(ids) for ids in _ids([("", prefix) for prefix, _ in texts], tokenizer, convention))


def _ids(
    texts: Sequence[Prefixed], tokenizer: PreTrainedTokenizerBase, convention: Convention
) -> Iterator[Sequence[int]]:
    for batch in _tokenizer_batches(texts):
        inputs = tokenizer_inputs([text for _, text in batch], tokenizer, convention)
        yield from tokenized(tokenizer, inputs, add_special_tokens=False)["input_ids"]


def _tokenizer_batches(texts: Sequence[Prefixed]) -> Iterator[Sequence[Prefixed]]:
    for begin in range(0, len(texts), TOKENIZER_BATCH):
        yield texts[begin : begin + TOKENIZER_BATCH]


def tokenizer_inputs(texts: Sequence[str], tokenizer: PreTrainedTokenizerBase, convention: Convention) -> list[str]:
    """Return texts as the tokenizer reads them. `tokenise` does not split special and added tokens, such as `[NN]`."""
    if convention.tokenise != "none":
        unsplit = unsplit_pattern(tokenizer)
        texts = [" ".join(_words(text, convention.tokenise, unsplit)) for text in texts]
    return [f" {text}" if text and convention.leading_space == "yes" else text for text in texts]


def _words(text: str, split: Split, unsplit: re.Pattern[str] | None) -> Iterator[str]:
    pieces = [text] if unsplit is None else unsplit.split(text)
    for index, piece in enumerate(pieces):  # text and tokens in turn
        yield from [piece] if index % 2 else split_words(piece, split)
