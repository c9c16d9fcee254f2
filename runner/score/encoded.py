"""Pairs of sentences to pairs of id sequences, with the tokens that count marked, as a convention says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.tokenizer import split_words
from runner.score.convention import Convention, context_id
from runner.score.suite import Pair, Suite

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


@dataclass(frozen=True, slots=True)
class Encoded:
    """One sentence: `ids` as the model reads them, of which those from place `start` are scored."""

    ids: tuple[int, ...]
    start: int
    tokens: int  # of the sentence itself, without context and closing token
    unknown: int

    @property
    def scored(self) -> tuple[int, ...]:
        """The ids whose probabilities count."""
        return self.ids[self.start :]


def encode_suite(
    suite: Suite, tokenizer: PreTrainedTokenizerBase, convention: Convention, about: Mapping[str, Any], model: object
) -> list[tuple[Encoded, Encoded] | None]:
    """Both sentences of every pair; None for a pair without the prefix that `part` asks for."""
    encoder = _Encoder(
        tokenizer, convention, context_id(convention, tokenizer, about, model), _closing(convention, tokenizer, model)
    )
    return [encoder.pair(pair) for pair in suite.items]


def _closing(convention: Convention, tokenizer: PreTrainedTokenizerBase, model: object) -> int | None:
    if convention.eos == "skipped":
        return None
    if tokenizer.eos_token_id is None:
        raise InputError(diagnostic("FICT815", model=model, token="EOS", setting="eos = scored"))
    return int(tokenizer.eos_token_id)


@dataclass(frozen=True)
class _Encoder:
    tokenizer: PreTrainedTokenizerBase
    convention: Convention
    context: int | None
    closing: int | None

    def pair(self, pair: Pair) -> tuple[Encoded, Encoded] | None:
        if self.convention.part == "full":
            return self.sentence("", pair.good), self.sentence("", pair.bad)
        if pair.prefix_method != self.convention.part:
            return None
        good, bad = (
            self.sentence(prefix, f"{prefix} {word.strip()}".strip())
            for prefix, word in zip(pair.prefixes, pair.words, strict=True)
        )
        return good, bad

    def sentence(self, prefix: str, text: str) -> Encoded:
        ids = self.ids(text)
        given = len(self.ids(prefix)) if prefix else 0
        if given == 0 and (self.context is None or self.convention.first_token == "skipped"):
            given = 1
        before = () if self.context is None else (self.context,)
        # a critical word is scored after its prefix; what closes the sentence is not part of it
        after = () if self.closing is None or self.convention.part != "full" else (self.closing,)
        unknown = self.tokenizer.unk_token_id
        return Encoded(before + ids + after, len(before) + given, len(ids), ids.count(unknown))

    def ids(self, text: str) -> tuple[int, ...]:
        if self.convention.tokenise != "none":
            text = " ".join(split_words(text, self.convention.tokenise))
        if self.convention.leading_space == "yes":
            text = " " + text
        return tuple(self.tokenizer(text, add_special_tokens=False)["input_ids"])
