"""The scoring convention: all choices that affect the score of a sentence, as one recorded value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args, get_type_hints

from runner.errors import InputError

UNIGRAM = "unigram"  # the name of the frequency baseline among the models of a report
# on pairs with words that the tokenizer does not know; keys are those of a manifest
UNKNOWN_WORDS_REMEDY = (
    '`kind = "bpe"` or a larger `size` in [tokenizer] avoids them, and `known-words = true` in [[evaluate]] counts '
    "only pairs without them"
)
Normalise: TypeAlias = Literal["sum", "mean", "slor", "normlp", "penlp"]


@dataclass(frozen=True, slots=True)
class Convention:
    """How a sentence is scored, and how two scores are compared.

    `probability` is that of each token given the tokens before it (`causal`) or, for masked models, given all other
    tokens (`pll`, Salazar et al. 2020), or with the later tokens of its word masked too (`pll_l2r`, Kauf and Ivanova
    2023). `context` precedes the first word: the token used in training (`as_trained`), the tokenizer's BOS (or EOS if
    it has no BOS), its EOS, or nothing. Without a context, a causal model cannot score the first token. Masked models
    read the special tokens that their tokenizer adds, unless the context is `none`. `normalise` is a function of the
    log-probability LP of the |s| scored tokens and their log-probability LPu under a unigram model: `sum` is LP, `mean`
    LP/|s| (also called nce), `penlp` LP/((5+|s|)/6)^0.8, `slor` (LP−LPu)/|s| and `normlp` −LP/LPu. A `part` other than
    `full` scores only the critical word after its prefix, in suites that mark it. `tokenise` splits text before the
    model's tokenizer reads it, and `leading_space` adds a space before the first word. `ties` states how the report
    counts equal scores. `dtype` is the precision of the model.
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

    @property
    def masked(self) -> bool:
        return self.probability != "causal"


CONVENTIONS: Mapping[str, Convention] = {
    # the context of training, first token scored, a tie counts ½
    "default": Convention(),
    # minicons as used by FiCT: no context, so the first token is not scored; a tie is wrong
    "fict": Convention(context="none", first_token="skipped", ties="strict"),
    # lm-evaluation-harness: BOS (or EOS) as context, a space before the first word, a tie is right
    "lm-eval": Convention(context="bos", leading_space="yes", ties="argmax"),
    # BabyLM 2025 with a tokenizer that adds no BOS: first token not scored, a tie is right
    "babylm": Convention(context="none", first_token="skipped", ties="argmax"),
}
CHOICES: Mapping[str, tuple[str, ...]] = {name: get_args(hint) for name, hint in get_type_hints(Convention).items()}
ALIASES: Mapping[str, Mapping[str, str]] = {"normalise": {"nce": "mean"}}  # synonyms of values


def convention_of(name: str, overrides: Mapping[str, str], *, masked: bool, model_name: object) -> Convention:
    """Return the preset `name` with overridden fields. Raises InputError (FICT813) if they do not fit the model."""
    preset = preset_for(name, masked=masked)
    fields: dict[str, Any] = {field: ALIASES.get(field, {}).get(value, value) for field, value in overrides.items()}
    convention = replace(preset, **fields)
    check_fits(convention, masked=masked, model_name=model_name)
    return convention


def preset_for(name: str, *, masked: bool) -> Convention:
    preset = CONVENTIONS[name]
    if masked:
        return replace(preset, probability="pll", context="as_trained", first_token="scored", leading_space="no")
    return preset


def check_fits(convention: Convention, *, masked: bool, model_name: object) -> None:
    """Raise InputError (FICT813) for settings that a masked or a causal model does not support."""
    kind = "masked" if masked else "causal"
    if convention.masked != masked:
        hint = "set `probability` to `pll` or `pll_l2r`" if masked else "set `probability` to `causal`"
        setting = f"probability = {convention.probability}"
        raise InputError.of("FICT813", model=model_name, kind=kind, setting=setting, hint=hint)
    unsupported = {"context": ("bos", "eos"), "eos": ("scored",)} if masked else {}
    for field, values in unsupported.items():
        if (value := getattr(convention, field)) in values:
            hint = "a masked model reads its tokenizer's special tokens, which are not scored"
            raise InputError.of("FICT813", model=model_name, kind=kind, setting=f"{field} = {value}", hint=hint)


def context_id(convention: Convention, tokenizer: Any, about: Mapping[str, Any], model_name: object) -> int | None:
    """Return the id of the context token, or None. Raises InputError (FICT815) if the tokenizer lacks the token.

    `as_trained` is the context that `about` records or, if nothing is recorded, BOS, or else EOS, or else None.
    """
    bos, eos = tokenizer.bos_token_id, tokenizer.eos_token_id
    bos_or_eos: int | None = bos if bos is not None else eos
    match convention.context:
        case "none":
            return None
        case "as_trained":
            trained: int | None = about.get("context", bos_or_eos)
            return trained
        case "bos":
            token_id = bos_or_eos
        case "eos":
            token_id = eos
    if token_id is None:
        token = convention.context.upper()
        raise InputError.of("FICT815", model=model_name, token=token, setting=f"context = {convention.context}")
    return token_id


def normalised(method: Normalise, logprob: float, token_count: int, unigram: float | None) -> float | None:
    """Normalise the summed log-probability of the scored tokens; `unigram` is theirs under a unigram model."""
    if token_count == 0:
        return None
    match method:
        case "sum":
            return logprob
        case "mean":
            return logprob / token_count
        case "penlp":
            return float(logprob / ((5 + token_count) / (5 + 1)) ** 0.8)
        case "slor":
            return (logprob - _required(unigram)) / token_count
        case "normlp":
            return -logprob / _required(unigram)


def _required(unigram: float | None) -> float:
    assert unigram is not None, "checked before scoring"
    return unigram
