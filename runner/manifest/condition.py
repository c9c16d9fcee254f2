"""`[[condition]]`: a training corpus as what is done to the base corpus."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from runner.manifest.part import Name, Part

TEXTS = ("train", "valid", "test")  # of the corpus: no condition is called so
CHOICES = ("remove", "keep", "remove_random")  # of sentences: one at most
EDITS = ("mask", "drop", "mask_random", "drop_random", "substitute")  # of words: the filters', or one of the others
SCHEDULES = ("order", "balance")  # of the sentences that are left
INTERVENTIONS = (*CHOICES, *EDITS, *SCHEDULES, "inject")  # in the order in which they are done
BY_CHANCE = ("remove_random", "mask_random", "drop_random")
# a control by its key, and what the condition that it names must do
RANDOM_OF = {"remove-random": ("remove", "keep"), "mask-random": ("mask",), "drop-random": ("drop",)}


class Generate(Part):
    """`generate = {…}`: documents made from templates, each with one sentence of a paradigm among plain ones.

    `words` in all, `every` so many a target sentence; `lemmas` are the sample's own, or the most frequent ones of the
    training corpus or of wordfreq's list. Without a paradigm there are plain sentences alone.
    """

    paradigm: str | None = None
    words: int = Field(ge=100)
    every: int = Field(330, ge=40)
    lemmas: Literal["basic", "corpus", "wordfreq"] = "basic"
    seed: int = Field(0, ge=0)


class Inject(Part):
    """`inject = {…}`: lines of other texts, spread evenly, in the stead of as many tokens or beside them.

    `like` names the condition of which this is the control: its fraction, mode and unit, and other texts, or, with
    no `text`, the same generator without a paradigm.
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
    def _one_measure(self) -> Inject:
        if (self.fraction is None) == (self.like is None):
            raise ValueError("one of fraction and like is required, and not both")
        if self.text and self.generate is not None:
            raise ValueError("text and generate exclude each other")
        if not (self.text or self.generate is not None or self.like is not None):
            raise ValueError("one of text and generate is required")
        for name in ("mode", "unit", "generate"):
            if self.like is not None and name in self.model_fields_set:
                raise ValueError(f"{name} is that of {self.like}, which like names")
        return self


class Substitute(Part):
    """`substitute = {…}`: the rarest words, which make a share `alpha` of all, as their tags."""

    alpha: float = Field(ge=0, le=1, strict=False)
    tags: Literal["xpos", "upos"] = "xpos"


class Levels(Part):
    """What `order` and `balance` have in common: sentences in stages, by the filters that match, or by a comment."""

    filters: tuple[str, ...] = Field((), strict=False)
    key: str | None = None
    stages: tuple[str, ...] = Field((), strict=False)
    levels: tuple[Annotated[tuple[str, ...], Field(strict=False)], ...] = Field(
        (), strict=False
    )  # stages that are to be equal to one another
    seed: int = Field(0, ge=0)

    @model_validator(mode="after")
    def _levels_are_of_stages(self) -> Levels:
        named = [stage for level in self.levels for stage in level]
        if unknown := [stage for stage in named if stage not in self.stages]:
            raise ValueError(f"levels name {unknown[0]}, which is not among the stages")
        if len(set(named)) < len(named):
            raise ValueError("a stage is of one level at most")
        return self

    @model_validator(mode="after")
    def _one_way(self) -> Levels:
        if bool(self.filters) == (self.key is not None):
            raise ValueError("one of filters and key is required, and not both")
        if len(set(self.stages)) < len(self.stages):
            raise ValueError("stages must differ from one another")
        return self


class Order(Levels):
    """`order = {…}`: stages one after another, read in this order, once."""

    balance: Literal["sentences", "tokens"] | None = None
    rest: Literal["drop", "first", "last", "interleave"] = "drop"
    reverse: bool = False
    shuffle: bool = False

    @model_validator(mode="after")
    def _settings_have_a_use(self) -> Order:
        if self.levels and self.balance is None:
            raise ValueError("levels says which stages balance makes equal, and there is none")
        if "seed" in self.model_fields_set and self.balance is None and not self.shuffle:
            raise ValueError("seed says what balance and shuffle draw, and there is neither")
        return self

    @property
    def equal(self) -> Literal["sentences", "tokens"] | None:
        """What the stages have as many of, if anything."""
        return self.balance


class Balance(Levels):
    """`balance = {…}`: as much of each stage, in the order of the corpus."""

    by: Literal["sentences", "tokens"] = "sentences"
    rest: Literal["drop", "keep"] = "drop"

    @property
    def equal(self) -> Literal["sentences", "tokens"]:
        """What the stages have as many of."""
        return self.by


class Condition(Part):
    """`[[condition]]`: a named training corpus. `full` is always there and needs no entry."""

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
    def _interventions(self) -> Condition:
        if self.name.casefold() == "full":
            raise ValueError('"full" is always there; choose another name')
        if self.name.casefold() in TEXTS:
            raise ValueError(f'"{self.name}" is a text of the corpus; choose another name')
        if not self.interventions:
            raise ValueError(f"it does nothing; one of {_listed(INTERVENTIONS)} is required")
        for given in map(self._given, (CHOICES, EDITS, SCHEDULES)):
            if len(given) > 1 and given != ["mask", "drop"]:
                raise ValueError(f"{given[-2]} and {given[-1]} exclude each other")
        return self

    @model_validator(mode="after")
    def _settings_have_a_use(self) -> Condition:
        if "by" in self.model_fields_set and self.remove_random is None:
            raise ValueError("by says how remove-random draws, and there is none")
        if "disjoint" in self.model_fields_set and not self._given(BY_CHANCE):
            raise ValueError(f"disjoint says how {_listed(BY_CHANCE)} draw, and there is none")
        return self

    @property
    def levels(self) -> Order | Balance | None:
        """How its sentences are put into stages."""
        return self.order or self.balance

    @property
    def scheduled(self) -> str:
        """The key that says how its sentences are put into stages."""
        return "order" if self.order is not None else "balance"

    @property
    def interventions(self) -> tuple[str, ...]:
        """The keys of what is done, in the order in which it is done."""
        return tuple(self._given(INTERVENTIONS))

    @property
    def control_of(self) -> str | None:
        """The condition that this one is the random control of."""
        like = None if self.inject is None else self.inject.like
        return next((str(other) for name in BY_CHANCE if (other := getattr(self, name))), like)

    def does(self, keys: tuple[str, ...]) -> bool:
        """Whether the condition does one of these, and by itself: what another's is like has none of its own."""
        own = [key for key in self.interventions if key != "inject" or (self.inject and self.inject.like is None)]
        return any(key in own for key in keys)

    def controls(self) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
        """What names another condition: the path of the key with that name, and what the other must do."""
        found: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
        for key, does in RANDOM_OF.items():
            other: str | None = getattr(self, key.replace("-", "_"))
            found += [((key, other), does)] if other else []
        if self.inject is not None and self.inject.like is not None:
            found.append((("inject", "like", self.inject.like), ("inject",)))
        return found

    def _given(self, names: tuple[str, ...]) -> list[str]:
        return [_hyphens(name) for name in names if getattr(self, name)]


def _hyphens(name: str) -> str:
    return name.replace("_", "-")


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(map(_hyphens, names[:-1])) + f" and {_hyphens(names[-1])}"
