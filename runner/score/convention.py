"""What a sentence's score is: every choice that moves a number, as one recorded value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError

Normalise: TypeAlias = Literal["sum", "mean", "slor", "normlp", "penlp"]


@dataclass(frozen=True, slots=True)
class Convention:
    """How a sentence becomes a number, and two numbers a decision.

    `context` is what stands before the first word: the token seen there in training (`as_trained`), the
    tokenizer's BOS (or EOS, where it has no BOS), its EOS, or nothing. Without a context the first token cannot be
    scored. `normalise`, over the |s| scored tokens with log-probability LP, and LPu under a unigram model:
    `mean` LP/|s|; `penlp` LP/((5+|s|)/6)^0.8; `slor` (LP−LPu)/|s|; `normlp` −LP/LPu. `part` other than `full`
    scores only the critical word after its prefix, in suites that mark it. `tokenise` splits text before the
    model's tokenizer sees it. `ties` is how the report counts equal scores.
    """

    probability: Literal["causal", "pll", "pll_l2r"] = "causal"
    normalise: Normalise = "sum"
    part: Literal["full", "one_prefix", "two_prefix"] = "full"
    tokenise: Literal["regex", "ptb", "none"] = "none"
    leading_space: Literal["yes", "no"] = "no"
    context: Literal["bos", "eos", "none", "as_trained"] = "as_trained"
    first_token: Literal["scored", "skipped"] = "scored"
    eos: Literal["scored", "skipped"] = "skipped"
    ties: Literal["half", "strict", "argmax"] = "half"
    dtype: Literal["float32", "bfloat16"] = "float32"


CONVENTIONS: Mapping[str, Convention] = {
    # trained context, first word scored, a tie is worth a half
    "default": Convention(),
    # minicons as FiCT called it: nothing before the first word, which is therefore not scored; a tie is wrong
    "fict": Convention(context="none", first_token="skipped", ties="strict"),
    # lm-evaluation-harness: BOS (or EOS) before, a space before the first word, a tie is right
    "lm-eval": Convention(context="bos", leading_space="yes", ties="argmax"),
    # BabyLM 2025 with a tokenizer that adds no BOS: first token not scored, a tie is right
    "babylm": Convention(context="none", first_token="skipped", ties="argmax"),
}


def check_supported(convention: Convention) -> None:
    """InputError (FICT813) for what the language knows and the scorer does not yet."""
    if convention.probability != "causal":
        raise InputError(diagnostic("FICT813", what=f"probability = {convention.probability}"))


def context_id(convention: Convention, tokenizer: Any, about: Mapping[str, Any], model: object) -> int | None:
    """The id before the first word, or None. InputError (FICT815) if the tokenizer lacks the token asked for.

    `as_trained` is what the training recorded; for a model from elsewhere it is BOS, else EOS, else nothing.
    """
    bos, eos = tokenizer.bos_token_id, tokenizer.eos_token_id
    either: int | None = bos if bos is not None else eos
    match convention.context:
        case "none":
            return None
        case "as_trained":
            trained: int | None = about.get("context", either)
            return trained
        case "bos":
            found = either
        case "eos":
            found = eos
    if found is None:
        token = convention.context.upper()
        raise InputError(diagnostic("FICT815", model=model, token=token, setting=f"context = {convention.context}"))
    return found


def normalised(convention: Convention, total: float, length: int, unigram: float | None) -> float | None:
    """A summed log-probability of `length` scored tokens as the convention asks; None where nothing was scored."""
    if length == 0:
        return None
    match convention.normalise:
        case "sum":
            return total
        case "mean":
            return total / length
        case "penlp":
            return float(total / ((5 + length) / (5 + 1)) ** 0.8)
        case "slor":
            return (total - _known(unigram)) / length
        case "normlp":
            return -total / _known(unigram)


def _known(unigram: float | None) -> float:
    assert unigram is not None, "checked before scoring"
    return unigram
