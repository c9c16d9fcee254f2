"""`[[condition]]`: the interventions that derive a training corpus from the base corpus."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from runner.manifest.part import Name, Part

TEXTS = ("train", "valid", "test")  # reserved: no condition may have these names
SELECTIONS = ("remove", "keep", "remove_random")  # of sentences; a condition has at most one
EDITS = ("mask", "drop", "mask_random", "drop_random", "substitute")  # of words; only mask and drop combine
SCHEDULES = ("order", "balance")
INTERVENTIONS = (*SELECTIONS, *EDITS, *SCHEDULES, "inject")  # in the order in which they are applied
RANDOM = ("remove_random", "mask_random", "drop_random")
# the interventions that a random control requires of the condition it names
CONTROLLED = {"remove-random": ("remove", "keep"), "mask-random": ("mask",), "drop-random": ("drop",)}


class Generate(Part):
    """`generate = {…}`: documents generated from templates, each with one target sentence of a paradigm.

    The text has `words` words, with one target sentence per `every` words. `lemmas` are those of the embedded sample,
    or in addition the most frequent ones of the training corpus or of wordfreq's list. Without a paradigm, all
    sentences are plain ones.
    """

    paradigm: str | None = None
    words: int = Field(ge=100)
    every: int = Field(330, ge=40)
    lemmas: Literal["basic", "corpus", "wordfreq"] = "basic"
    seed: int = Field(0, ge=0)


class Inject(Part):
    """`inject = {…}`: lines of other texts, spread evenly, that replace or extend the corpus.

    `like` names the condition that this one controls for. The control takes over its fraction, mode and unit. Its
    text is another one or, without `text`, comes from the same generator without a paradigm.
    """

    text: tuple[str, ...] = Field((), strict=False)
    generate: Generate | None = None
    fraction: float | None = Field(None, gt=0, le=0.5)
    like: str | None = None
    mode: Literal["replace", "add"] = "replace"
    unit: Literal["sentence", "document"] = "document"
    only: tuple[str, ...] = Field((), strict=False)
    without: tuple[str, ...] = Field((), strict=False)
    seed: int = Field(0, ge=0)

    @model_validator(mode="after")
    def _check_combinations(self) -> Inject:
        if (self.fraction is None) == (self.like is None):
            raise ValueError("exactly one of fraction and like is required")
        if self.text and self.generate is not None:
            raise ValueError("text and generate exclude each other")
        if not (self.text or self.generate is not None or self.like is not None):
            raise ValueError("one of text and generate is required")
        for name in ("mode", "unit", "generate"):
            if self.like is not None and name in self.model_fields_set:
                raise ValueError(f"{name} is taken over from {self.like}, which like names")
        return self


class Substitute(Part):
    """`substitute = {…}`: tags in place of the rarest words, which make up a share `alpha` of all words."""

    alpha: float = Field(ge=0, le=1, strict=False)
    tags: Literal["xpos", "upos"] = "xpos"


class Levels(Part):
    """The settings that `order` and `balance` share: stages by matching filters or by a comment's value."""

    filters: tuple[str, ...] = Field((), strict=False)
    key: str | None = None
    stages: tuple[str, ...] = Field((), strict=False)
    levels: tuple[Annotated[tuple[str, ...], Field(strict=False)], ...] = Field(
        (), strict=False
    )  # groups of stages that balancing makes equal
    seed: int = Field(0, ge=0)

    @model_validator(mode="after")
    def _check_levels(self) -> Levels:
        grouped = [stage for level in self.levels for stage in level]
        if unknown := [stage for stage in grouped if stage not in self.stages]:
            raise ValueError(f"levels names {unknown[0]}, which is not one of the stages")
        if len(set(grouped)) < len(grouped):
            raise ValueError("a stage may be in one level only")
        return self

    @model_validator(mode="after")
    def _check_criterion(self) -> Levels:
        if bool(self.filters) == (self.key is not None):
            raise ValueError("exactly one of filters and key is required")
        if len(set(self.stages)) < len(self.stages):
            raise ValueError("stages must be distinct")
        return self


class Order(Levels):
    """`order = {…}`: stages that training reads one after another, once."""

    balance: Literal["sentences", "tokens"] | None = None
    rest: Literal["drop", "first", "last", "interleave"] = "drop"
    reverse: bool = False
    shuffle: bool = False

    @model_validator(mode="after")
    def _check_unused(self) -> Order:
        if self.levels and self.balance is None:
            raise ValueError("levels requires balance")
        if "seed" in self.model_fields_set and self.balance is None and not self.shuffle:
            raise ValueError("seed requires balance or shuffle")
        return self

    @property
    def balanced_by(self) -> Literal["sentences", "tokens"] | None:
        """The unit in which stages are made equal, or None."""
        return self.balance


class Balance(Levels):
    """`balance = {…}`: stages of equal size, in the order of the corpus."""

    by: Literal["sentences", "tokens"] = "sentences"
    rest: Literal["drop", "keep"] = "drop"

    @property
    def balanced_by(self) -> Literal["sentences", "tokens"]:
        """The unit in which stages are made equal."""
        return self.by


class Condition(Part):
    """`[[condition]]`: a named training corpus. The condition `full` always exists and has no entry."""

    name: Name
    remove: tuple[str, ...] = Field((), strict=False)
    keep: tuple[str, ...] = Field((), strict=False)
    remove_random: str | None = None
    mask: tuple[str, ...] = Field((), strict=False)
    drop: tuple[str, ...] = Field((), strict=False)
    mask_random: str | None = None
    drop_random: str | None = None
    substitute: Substitute | None = None
    order: Order | None = None
    balance: Balance | None = None
    inject: Inject | None = None
    by: Literal["sentences", "tokens", "lengths"] = "sentences"
    disjoint: bool = False
    seed: int = Field(0, ge=0)
    allow_missing: bool = False

    @model_validator(mode="after")
    def _check_interventions(self) -> Condition:
        if self.name.casefold() == "full":
            raise ValueError('"full" is the name of the unchanged corpus; choose another name')
        if self.name.casefold() in TEXTS:
            raise ValueError(f'"{self.name}" is the name of a text of the corpus; choose another name')
        if not self.interventions:
            raise ValueError(f"it has no intervention; one of {_enumeration(INTERVENTIONS)} is required")
        for keys in map(self._keys_set, (SELECTIONS, EDITS, SCHEDULES)):
            if len(keys) > 1 and keys != ["mask", "drop"]:
                raise ValueError(f"{keys[-2]} and {keys[-1]} exclude each other")
        return self

    @model_validator(mode="after")
    def _check_unused(self) -> Condition:
        if "by" in self.model_fields_set and self.remove_random is None:
            raise ValueError("by requires remove-random")
        if "disjoint" in self.model_fields_set and not self._keys_set(RANDOM):
            raise ValueError(f"disjoint requires one of {_enumeration(RANDOM)}")
        return self

    @property
    def levels(self) -> Order | Balance | None:
        """The settings of `order` or `balance`, if the condition has stages."""
        return self.order or self.balance

    @property
    def schedule_key(self) -> str:
        """The manifest key of `levels`: `order` or `balance`."""
        return "order" if self.order is not None else "balance"

    @property
    def interventions(self) -> tuple[str, ...]:
        """The keys of the interventions, in the order in which they are applied."""
        return tuple(self._keys_set(INTERVENTIONS))

    @property
    def control_of(self) -> str | None:
        """The name of the condition that this one is a control of."""
        like = None if self.inject is None else self.inject.like
        return next((str(other) for name in RANDOM if (other := getattr(self, name))), like)

    def has_any(self, keys: tuple[str, ...]) -> bool:
        """Return whether the condition has one of these interventions; an `inject` with `like` does not count."""
        independent = [
            key for key in self.interventions if key != "inject" or (self.inject and self.inject.like is None)
        ]
        return any(key in independent for key in keys)

    def controls(self) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Return the references to other conditions.

        Each is the path of a key, ending with the name of the other condition, and the interventions of which the
        other condition must have one.
        """
        references: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
        for key, required in CONTROLLED.items():
            other: str | None = getattr(self, key.replace("-", "_"))
            references += [((key, other), required)] if other else []
        if self.inject is not None and self.inject.like is not None:
            references.append((("inject", "like", self.inject.like), ("inject",)))
        return references

    def _keys_set(self, fields: tuple[str, ...]) -> list[str]:
        return [_hyphens(name) for name in fields if getattr(self, name)]


def _hyphens(name: str) -> str:
    return name.replace("_", "-")


def _enumeration(names: tuple[str, ...]) -> str:
    return ", ".join(map(_hyphens, names[:-1])) + f" and {_hyphens(names[-1])}"
