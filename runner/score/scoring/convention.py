"""What a sentence's score is: every choice that moves a number, as one recorded value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args, get_type_hints

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError

Normalise: TypeAlias = Literal["sum", "mean", "slor", "normlp", "penlp"]


@dataclass(frozen=True, slots=True)
class Convention:
    """How a sentence becomes a number, and two numbers a decision.

    `probability`: of each token after those before it (`causal`); for masked models, of each token given all others
    (`pll`, Salazar et al. 2020), or with the later pieces of its own word masked too (`pll_l2r`, Kauf and Ivanova
    2023). `context` is what stands before the first word: the token seen there in training (`as_trained`), the
    tokenizer's BOS (or EOS, where it has no BOS), its EOS, or nothing. Without a context a causal model cannot score
    the first token. Masked models read the special tokens that their tokenizer adds, unless the context is `none`.
    `normalise`, over the |s| scored tokens with log-probability LP, and LPu under a unigram model: `mean` LP/|s|
    (also called nce); `penlp` LP/((5+|s|)/6)^0.8; `slor` (LP−LPu)/|s|; `normlp` −LP/LPu. `part` other than `full`
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

    @property
    def masked(self) -> bool:
        """Whether tokens are masked rather than predicted from left to right."""
        return self.probability != "causal"


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
CHOICES: Mapping[str, tuple[str, ...]] = {name: get_args(hint) for name, hint in get_type_hints(Convention).items()}
ALIASES: Mapping[str, Mapping[str, str]] = {"normalise": {"nce": "mean"}}  # other names of the same value


def convention_of(name: str, given: Mapping[str, str], *, masked: bool, model: object) -> Convention:
    """The preset `name` with the fields in `given` set, for a masked or a causal model.

    A preset fits both kinds: of a masked model it takes pseudo-log-likelihoods, scores every token between the
    tokenizer's own special tokens, and keeps its ties, as minicons and BabyLM do. InputError (FICT813) if what is
    given does not fit the model. `model` is a name for messages.
    """
    preset = CONVENTIONS[name]
    if masked:
        preset = replace(preset, probability="pll", context="as_trained", first_token="scored", leading_space="no")
    chosen: dict[str, Any] = {field: ALIASES.get(field, {}).get(value, value) for field, value in given.items()}
    convention = replace(preset, **chosen)
    check_fits(convention, masked=masked, model=model)
    return convention


def check_fits(convention: Convention, *, masked: bool, model: object) -> None:
    """InputError (FICT813) where a masked model is asked for what only a causal one has, or the other way round."""
    kind = "masked" if masked else "causal"
    if convention.masked != masked:
        hint = "`probability` is `pll` or `pll_l2r` there" if masked else "`probability` is `causal` there"
        setting = f"probability = {convention.probability}"
        raise InputError(diagnostic("FICT813", model=model, kind=kind, setting=setting, hint=hint))
    wrong = {"context": ("bos", "eos"), "eos": ("scored",)} if masked else {}
    for field, values in wrong.items():
        if (value := getattr(convention, field)) in values:
            hint = "the special tokens around a sentence are its tokenizer's own, and are not scored"
            raise InputError(diagnostic("FICT813", model=model, kind=kind, setting=f"{field} = {value}", hint=hint))


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


def normalised(how: Normalise, total: float, length: int, unigram: float | None) -> float | None:
    """A summed log-probability of `length` scored tokens as `how` asks; None where nothing was scored.

    `unigram` is the sum of the same tokens under a unigram model, which `slor` and `normlp` need.
    """
    if length == 0:
        return None
    match how:
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
