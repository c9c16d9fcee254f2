"""The tables of a manifest and their rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, JsonValue, create_model, field_validator, model_validator
from pydantic_core import PydanticKnownError

from fictdsl.words import listed
from runner.conditions.intervention import Intervention, Phase, TreeEdit, WordEdit
from runner.conditions.registry import BY_KEY, INTERVENTIONS, OPTIONS, active_interventions
from runner.model.training import Share, Training
from runner.score.convention import UNIGRAM
from runner.toml_tables import SHARE, Name, Range, Seed, TomlTable, matching

TEXTS = ("train", "valid", "test")  # reserved: no condition may have these names
TARGET = "[a-z0-9_-]+/[A-Za-z0-9_-]+"  # as in `targets` of a filter
_TARGET_REASON = "a target is SUITE/PARADIGM, such as blimp/existential_there_quantifiers_1"


def _field(key: str) -> str:
    return key.replace("-", "_")


if TYPE_CHECKING:
    _Keys = TomlTable
else:
    _Keys = create_model(
        "_Keys",
        __base__=TomlTable,
        name=(Name, ...),
        **{_field(item.key): (item.value.type, item.value.default) for item in INTERVENTIONS},
        **{_field(name): (key.type, key.default) for name, key in OPTIONS.items()},
        audit=(tuple[str, ...], Field((), strict=False)),
        allow_missing=(bool, False),
        allow_empty=(bool, False),
        targets=(tuple[Annotated[str, matching(TARGET, _TARGET_REASON)], ...], Field((), strict=False)),
    )


class ConditionTable(_Keys):
    """`[[condition]]`: a named training corpus. The condition `full` always exists and has no entry."""

    if TYPE_CHECKING:
        name: Name

    @model_validator(mode="after")
    def _check_interventions(self) -> ConditionTable:
        if self.name.casefold() == "full":
            raise ValueError('"full" is the name of the unchanged corpus; choose another name')
        if self.name.casefold() in TEXTS:
            raise ValueError(f'"{self.name}" is the name of a text of the corpus; choose another name')
        if not self.interventions:
            raise ValueError(f"it has no intervention; one of {listed(list(BY_KEY))} is required")
        for phase in Phase:
            phase_interventions = [intervention for intervention in self.interventions if intervention.phase is phase]
            if len({intervention.group for intervention in phase_interventions}) > 1:
                raise ValueError(f"{phase_interventions[-2].key} and {phase_interventions[-1].key} exclude each other")
        for first, second in pairwise(
            intervention for intervention in self.interventions if isinstance(intervention, WordEdit)
        ):
            if first.phase is not second.phase and not isinstance(first, TreeEdit):
                raise ValueError(f"{first.key} and {second.key} exclude each other")
        return self

    @model_validator(mode="after")
    def _check_unused(self) -> ConditionTable:
        for name, option in OPTIONS.items():
            users = [intervention.key for intervention in INTERVENTIONS if name in intervention.options]
            is_set = _field(name) in self.model_fields_set
            if (
                option.is_checked
                and is_set
                and not any(name in intervention.options for intervention in self.interventions)
            ):
                raise ValueError(f"{name} requires {'one of ' * (len(users) > 1)}{listed(users)}")
        return self

    @property
    def values(self) -> Mapping[str, Any]:
        return {info.alias or name: self.__dict__[name] for name, info in type(self).model_fields.items()}

    @property
    def interventions(self) -> list[Intervention[Any]]:
        return active_interventions(self.values)

    @property
    def reads_once(self) -> Intervention[Any] | None:
        return next((intervention for intervention in self.interventions if intervention.reads_once), None)

    @property
    def references(self) -> list[tuple[tuple[str, ...], Intervention[Any]]]:
        values = ((intervention, self.values[intervention.key]) for intervention in self.interventions)
        paths = (
            (path, intervention)
            for intervention, value in values
            for path in (intervention.control_of(value), intervention.control(value))
        )
        return [(path, intervention) for path, intervention in paths if path is not None]

    @property
    def control_of(self) -> str | None:
        paths = (intervention.control_of(self.values[intervention.key]) for intervention in self.interventions)
        return next((path[-1] for path in paths if path is not None), None)

    @property
    def placebo_draws(self) -> int | None:
        counts = (intervention.draws(self.values) for intervention in self.interventions)
        return next((count for count in counts if count is not None), None)

    def may_be_named(self, referrer: Intervention[Any]) -> bool:
        """Return whether another condition's intervention may name this one. Those that name one do not count."""
        referring_keys = {intervention.key for _, intervention in self.references}
        return any(
            intervention.key in referrer.controls and intervention.key not in referring_keys
            for intervention in self.interventions
        )


class Corrupt(TomlTable):
    """`corrupt = {…}`: how many pairs of each operation, from which sentences, and how words are written.

    With `words` "tags" or "unk", tags or the unknown token replace the rarest words, a share `alpha` of all.
    """

    pairs: Annotated[int, Range(1, 10**9, "no corpus has more sentences")] = 200
    key: str | None = None
    value: str | None = None
    seed: Seed = 0
    words: Literal["plain", "tags", "unk"] = "plain"
    alpha: Annotated[float, SHARE] = 0.1
    tags: Literal["xpos", "upos"] = "xpos"

    @model_validator(mode="after")
    def _check_key_and_value(self) -> Corrupt:
        if (self.key is None) != (self.value is None):
            raise ValueError("key and value require each other")
        return self

    @model_validator(mode="after")
    def _check_unused(self) -> Corrupt:
        for name in ("alpha", "tags"):
            if name in self.model_fields_set and "words" not in self.model_fields_set:
                raise ValueError(f'{name} requires words, which is "tags" or "unk" if rare words are replaced')
        return self


_SETTING = Range(-(10**12), 10**12, "sizes and rates of models are far smaller")
_PUBLISHED = "no published model has more"
PRESET_OVERRIDES = ("layers", "hidden", "heads", "feedforward", "positions", "dropout", "attention_dropout")


class Model(TomlTable):
    """`[[model]]`: a preset, whose sizes other keys may change, or an `architecture` of `transformers` with a `config`.

    `from` is the folder of a saved model, which is trained further with the settings of the preset, or
    `CONDITION@step-N`: the model is first trained on that condition for N steps.
    """

    preset: str | None = None
    architecture: str | None = None
    config: dict[str, Annotated[JsonValue, AfterValidator(_SETTING.check_all)]] = Field(default_factory=dict)
    origin: str | None = Field(None, alias="from")
    name: Name | None = None
    layers: Annotated[int, Range(1, 1000, _PUBLISHED)] | None = None
    hidden: Annotated[int, Range(1, 100_000, _PUBLISHED)] | None = None
    heads: Annotated[int, Range(1, 1000, _PUBLISHED)] | None = None
    feedforward: Annotated[int, Range(1, 1_000_000, _PUBLISHED)] | None = None
    positions: Annotated[int, Range(2, 10_000_000, _PUBLISHED)] | None = None
    dropout: Share | None = Field(None, strict=False)
    attention_dropout: Share | None = Field(None, strict=False)
    training: Training = Training()

    @model_validator(mode="after")
    def _check_kind(self) -> Model:
        if (self.preset is None) == (self.architecture is None):
            raise ValueError("exactly one of preset and architecture is required")
        if self.config and self.architecture is None:
            raise ValueError("config requires architecture; a preset is changed by keys such as layers and hidden")
        if self.preset_overrides and self.preset is None:
            raise ValueError(
                f"{_key(next(iter(self.preset_overrides)))} requires preset; the sizes of an architecture are in config"
            )
        if self.origin is not None and not self.is_branch and (self.preset_overrides or self.architecture is not None):
            key = "architecture" if self.architecture is not None else _key(next(iter(self.preset_overrides)))
            raise ValueError(f"{key} and from exclude each other; a saved model has its own architecture and sizes")
        return self

    @model_validator(mode="after")
    def _check_name(self) -> Model:
        if self.label == UNIGRAM:
            raise ValueError(f'"{UNIGRAM}" is the name of the baseline; choose another name')
        return self

    @property
    def label(self) -> str:
        return self.name or self.preset or str(self.architecture)

    @property
    def is_branch(self) -> bool:
        return self.origin is not None and names_a_step(self.origin)

    @property
    def preset_overrides(self) -> dict[str, Any]:
        return {name: value for name in PRESET_OVERRIDES if (value := getattr(self, name)) is not None}


def names_a_step(text: str) -> bool:
    return "@" in text and "/" not in text


def _key(field: str) -> str:
    return field.replace("_", "-")


class Experiment(TomlTable):
    """`[experiment]`: its name, and the seeds that every model is trained with on every condition."""

    name: Name
    description: str = ""
    seeds: tuple[Seed, ...] = Field(min_length=1, strict=False)

    @field_validator("seeds")
    @classmethod
    def _check_seeds(cls, seeds: tuple[int, ...]) -> tuple[int, ...]:
        if repeated := [seed for seed, count in Counter(seeds).items() if count > 1]:
            raise ValueError(f"seeds must be distinct, and {repeated[0]} is repeated")
        return seeds


class Sample(TomlTable):
    """`sample = {…}`: the embedded English sample instead of files; `path = "sample"` names its minimal pairs."""

    sentences: Annotated[int, Range(100, 10_000_000, "its lexicon is small")] = 20_000
    pairs: Annotated[int, Range(1, 100_000, "its lexicon is small")] = 200
    seed: Seed = 1


class Corpus(TomlTable):
    """`[corpus]`: the CoNLL-U files of each text, as paths, globs or folders."""

    train: tuple[str, ...] = Field((), strict=False)
    valid: tuple[str, ...] = Field((), strict=False)
    test: tuple[str, ...] = Field((), strict=False)
    sample: Sample | None = None

    @model_validator(mode="after")
    def _check_origin(self) -> Corpus:
        texts = [name for name in TEXTS if getattr(self, name)]
        if self.sample is not None and texts:
            raise ValueError(f"sample and {texts[0]} exclude each other; the sample has its own train, valid and test")
        if self.sample is None and not (self.train and self.valid):
            raise ValueError("train and valid are required, unless sample is set")
        return self


_COUNT = Range(1, 10**12, 'no corpus is larger; "smallest" is the size of the smallest condition')


def _check_count_type(count: object) -> object:
    """Report a wrong `count` once, rather than once for each of its types."""
    if isinstance(count, bool) or not (isinstance(count, int) or count == "smallest"):
        raise ValueError('it should be a whole number without quotation marks, or "smallest"')
    return count


class Size(TomlTable):
    """`[size]`: the common size of all conditions, sampled by hash, so that they share sentences."""

    by: Literal["lines", "tokens"] = "lines"
    count: Annotated[int | Literal["smallest"], _COUNT, BeforeValidator(_check_count_type)] = "smallest"
    seed: Seed = 0
    redraw: Literal["none", "seed"] = "none"


class Tokenizer(TomlTable):
    """`[tokenizer]`: the tokenizer of all conditions, trained or loaded. `size` is without special tokens."""

    kind: Literal["word", "bpe", "saved"] = "word"
    size: Annotated[int, Range(1, 10_000_000, "every model has a row of weights for each")] = 50_000
    lowercase: bool = False
    split: Literal["regex", "ptb", "none"] = "regex"
    path: str | None = None

    @model_validator(mode="after")
    def _check_unused(self) -> Tokenizer:
        if (self.kind == "saved") != (self.path is not None):
            raise ValueError('path and kind = "saved" require each other')
        for name in ("size", "lowercase"):
            if self.kind == "saved" and name in self.model_fields_set:
                raise ValueError(f'{name} has no effect with kind = "saved"')
        if self.kind != "word" and "split" in self.model_fields_set:
            raise ValueError(f'split has no effect with kind = "{self.kind}"')
        if self.kind == "bpe" and self.size < 256:
            raise ValueError("size must be at least 256, the number of bytes")
        return self


class Scoring(TomlTable):
    probability: Literal["causal", "pll", "pll_l2r"] | None = None
    normalise: Literal["sum", "mean", "slor", "normlp", "penlp", "nce"] | None = None
    part: Literal["full", "one_prefix", "two_prefix"] | None = None
    tokenise: Literal["regex", "ptb", "none"] | None = None
    leading_space: Literal["yes", "no"] | None = None
    context: Literal["bos", "eos", "none", "as_trained"] | None = None
    first_token: Literal["scored", "skipped"] | None = None
    eos: Literal["scored", "skipped"] | None = None
    ties: Literal["half", "strict", "argmax"] | None = None
    dtype: Literal["float32", "bfloat16"] | None = None

    @property
    def overrides(self) -> dict[str, str]:
        return self.model_dump(exclude_none=True)


def _kinds(quality: Literal["declared", "has_covariates"]) -> list[str]:
    from runner.score.any_suite import KINDS  # late, since few manifests declare a kind

    return [kind.name for kind in KINDS if getattr(kind, quality)]


def _check_declared(name: Any) -> Any:
    if name not in (names := _kinds("declared")):
        raise PydanticKnownError("literal_error", {"expected": listed(list(map(repr, names)), "or")})
    return name


class Evaluate(TomlTable):
    """`[[evaluate]]`: a suite at `path`, or the minimal pairs of the embedded sample.

    With `corrupt`, the path is a CoNLL-U file, and the pairs are its sentences and their corrupted versions. `parses`
    are CoNLL-U files with the sentences of minimal pairs, for the share of pairs that a filter matches.
    """

    name: Name
    path: str
    kind: Annotated[str, BeforeValidator(_check_declared)] | None = None
    covariates: tuple[str, ...] = Field((), strict=False)
    parses: tuple[str, ...] = Field((), strict=False)
    limit: Annotated[int, Range(1, 10**9, "no suite has more")] | None = None
    paradigms: tuple[str, ...] = Field((), strict=False)
    known_words: bool = False
    convention: str = "default"
    scoring: Scoring = Scoring()
    corrupt: Corrupt | None = None

    @model_validator(mode="after")
    def _check_unused(self) -> Evaluate:
        if self.covariates and self.kind not in (names := _kinds("has_covariates")):
            raise ValueError(f'covariates requires kind = "{listed(names, "or")}"')
        for name in ("corrupt", "parses", "paradigms", "known_words"):
            if self.kind is not None and name in self.model_fields_set:
                raise ValueError(f'{name.replace("_", "-")} and kind = "{self.kind}" exclude each other')
        for name in ("limit", "paradigms"):
            if self.corrupt is not None and name in self.model_fields_set:
                raise ValueError(f"{name} has no effect with corrupt; pairs in corrupt sets the number per operation")
        return self


CONFIDENCE = Range(0.5, 0.9999, "a few seeds say nothing about rarer events", least_open=True)


class Report(TomlTable):
    """`[report]`: how ties count, the level of intervals, examples, and the margin within which an accuracy held."""

    ties: Literal["half", "strict", "argmax"] | None = None
    confidence: Annotated[float, CONFIDENCE] = 0.95
    examples: Annotated[int, Range(0, 1000, "one page has all of them")] = 12
    equivalence: Annotated[float, Range(0, 100, "accuracies are in points", least_open=True, most_open=True)] = 5.0


class Manifest(TomlTable):
    """An experiment. `lists` maps word lists of the filters to files whose words replace theirs."""

    experiment: Experiment
    corpus: Corpus
    size: Size = Size()
    lists: dict[str, str] = Field(default_factory=dict)
    condition: tuple[ConditionTable, ...] = Field((), strict=False)
    tokenizer: Tokenizer = Tokenizer()
    model: tuple[Model, ...] = Field(min_length=1, strict=False)
    training: Training = Training()
    evaluate: tuple[Evaluate, ...] = Field((), strict=False)
    report: Report = Report()

    @model_validator(mode="after")
    def _check_tokenizer(self) -> Manifest:
        if self.tokenizer.kind != "saved" and any(model.origin and not model.is_branch for model in self.model):
            raise ValueError('a model with from requires its own tokenizer: kind = "saved"')
        return self
