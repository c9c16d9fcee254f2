"""What the report computes: accuracies, contrasts, probability deltas, perplexities and power, as typed values."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from runner.report.results.results import Condition, Results
from runner.score.statistics import inference
from runner.score.statistics.correlation import Correlation
from runner.score.statistics.inference import Difference, Floats
from runner.score.statistics.paired import Paired

Level = Literal["paradigm", "phenomenon", "field", "suite"]
Against = Literal["full", "control"]
Verdict = Literal["below", "above", "spans zero", "no interval"]
STEPS = (1, 2, 5, 10)  # what shares of tokens are rounded to


@dataclass(frozen=True, slots=True)
class Unit:
    """What accuracy is about: a paradigm, or the unweighted mean over the paradigms of a larger group."""

    level: Level
    suite: str
    name: str


@dataclass(frozen=True, slots=True)
class Accuracy:
    """One unit under one condition and model; `by_seed` in 0–1. The counts are for paradigms only."""

    unit: Unit
    condition: str
    model: str
    by_seed: dict[int, float]
    pairs: int = 0
    applicable: int = 0
    ties: float = 0.0  # share of applicable pairs with two equal scores, mean over seeds
    identical: int = 0
    unknown: int = 0
    unscored: int = 0  # neither identical nor scored, largest over seeds

    @property
    def mean(self) -> float:
        """The mean over seeds."""
        return math.fsum(self.by_seed.values()) / len(self.by_seed)

    @property
    def sd(self) -> float | None:
        """The standard deviation between seeds (n − 1), None for one seed."""
        return inference.pooled_sd([list(self.by_seed.values())])


@dataclass(frozen=True, slots=True)
class Contrast:
    """accuracy(condition) − accuracy(reference) of one unit and model, in 0–1, with its uncertainty."""

    unit: Unit
    condition: str
    model: str
    reference: str
    against: Against
    targeted: bool
    difference: Difference  # Welch over seeds: the interval that is shown
    paired: Difference | None
    bootstrap: tuple[float, float] | None
    holm: float | None = None  # adjusted p over the targeted contrasts against the same kind of reference
    bh: float | None = None

    @property
    def verdict(self) -> Verdict:
        """Where the Welch interval lies."""
        if self.difference.low is None or self.difference.high is None:
            return "no interval"
        if self.difference.high < 0:
            return "below"
        return "above" if self.difference.low > 0 else "spans zero"


@dataclass(frozen=True, slots=True)
class ProbabilityDelta:
    """PΔ of one paradigm before (full) and after an intervention: means over items, and robustness."""

    unit: Unit
    condition: str
    model: str
    targeted: bool
    full: float
    after: float
    change: Difference  # ΔPΔ = after − full, Welch over seeds
    robustness: float | None  # Pearson r over items of PΔ full and PΔ after
    split_half: float | None  # the same for the full models' seeds in two halves
    ceiling: float | None  # what r would be if only the seeds differed
    items: int
    x: Floats  # (items,) PΔ full, NaN where not applicable
    y: Floats  # (items,) PΔ after


@dataclass(frozen=True, slots=True)
class TextScore:
    """Perplexity of a text under one condition and model, by seed; `change` is against the reference.

    `frequencies` is that of the words' frequencies in the training text, on average over seeds.
    """

    text: str
    condition: str
    model: str
    by_seed: dict[int, float]
    tokens: int | None
    reference: str | None
    change: Difference | None
    frequencies: float | None = None

    @property
    def mean(self) -> float:
        """The perplexity on average over seeds."""
        return sum(self.by_seed.values()) / len(self.by_seed)


@dataclass(frozen=True, slots=True)
class Detectable:
    """The power statement for one model: SD between seeds, and the smallest delta found 80 % of the time."""

    model: str
    cells: Literal["all", "targeted"]
    groups: int
    sd: float
    seeds: int
    delta: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two models, or a condition and the full one, over units that both have: n of them, each the mean over seeds.

    `measure` is `perplexity of TEXT`, `accuracy` or `accuracy delta` (against full); `cells` says whether a mean over
    paradigms is over all of a suite or those that the condition targets; `units` what n counts. `within` limits the
    test to one condition or one paradigm. `baseline`: whether the full condition is one of the units (or in the means).
    `holm` and `bh` are over the tests that differ in `within` alone, or, where it is empty, in measure and cells alone.
    """

    measure: str
    suite: str
    cells: Literal["all", "targeted"]
    units: Literal["corpora", "benchmarks"]
    within: str
    baseline: bool
    a: str
    b: str
    model: str  # where `a` and `b` are conditions
    test: Paired
    holm: float | None = None
    bh: float | None = None


@dataclass(frozen=True, slots=True)
class Relation:
    """Pearson's correlation of two quantities over units, of one model or between two."""

    x: str
    y: str
    suite: str
    units: str
    baseline: bool
    models: tuple[str, ...]
    correlation: Correlation


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything the report shows, as numbers."""

    results: Results
    accuracies: dict[tuple[Unit, str, str], Accuracy]
    contrasts: dict[tuple[Unit, str, str, str], Contrast]  # by unit, condition, model, reference
    probabilities: tuple[ProbabilityDelta, ...]
    texts: tuple[TextScore, ...]
    detectable: tuple[Detectable, ...]
    targets: dict[str, frozenset[str]]  # condition → `suite/paradigm` that were scored
    absent_targets: dict[str, tuple[str, ...]]  # condition → targets that no suite of the run holds
    comparisons: tuple[Comparison, ...] = ()
    relations: tuple[Relation, ...] = ()

    @property
    def targeted(self) -> tuple[Contrast, ...]:
        """Contrasts of targeted paradigms, against both references."""
        return tuple(contrast for contrast in self.contrasts.values() if contrast.targeted)


def full_of(results: Results) -> Condition | None:
    """The condition of kind `full`."""
    return next((condition for condition in results.conditions if condition.kind == "full"), None)


def controls_of(results: Results, name: str) -> tuple[Condition, ...]:
    """The random controls of a condition, in order.

    Injected text without one has those with as much random text of its generator: one may be the control of all.
    """
    own = tuple(condition for condition in results.conditions if condition.control_of == name)
    about = results.condition(name)
    if own or about.kind != "inject" or not about.targets:
        return own
    return tuple(one for one in results.conditions if one.random_text and amount(one) == amount(about))


def amount(condition: Condition) -> float | None:
    """The share of the tokens that was to be injected: as stated, or the round number nearest to what was asked."""
    if condition.fraction is not None:
        return condition.fraction
    tokens = condition.asked_tokens or condition.injected_tokens
    if not tokens or not condition.words:
        return None
    share = tokens / condition.words
    power = 10.0 ** math.floor(math.log10(share))
    return float(f"{power * min(STEPS, key=lambda step: abs(math.log(share / power / step))):.1g}")


def references(results: Results, condition: Condition) -> Iterator[tuple[Condition, Against]]:
    """What a condition is compared with: its controls first, then the full condition."""
    for control in controls_of(results, condition.name):
        yield control, "control"
    full = full_of(results)
    if full is not None and condition.kind != "full":
        yield full, "full"
