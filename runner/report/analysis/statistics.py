"""Typed statistics of the report: accuracies, contrasts, probability deltas, perplexities and power."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from runner.report.analysis.placebos import PlaceboTest
from runner.report.results.results import Condition, Results
from runner.score.statistics import inference
from runner.score.statistics.change import Verdict
from runner.score.statistics.correlation import Correlation
from runner.score.statistics.inference import Difference, Floats
from runner.score.statistics.paired import Paired
from runner.score.statistics.power import Variances

Level = Literal["paradigm", "phenomenon", "field", "suite"]
ReferenceKind = Literal["full", "control"]
LEADING_DIGITS = (1, 2, 5, 10)  # of rounded shares of tokens


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit of an accuracy: a paradigm, or the unweighted mean over the paradigms of a group."""

    level: Level
    suite: str
    name: str


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The accuracy (0–1) of one unit under one condition and model.

    `size` is the number of pairs or items of a paradigm, or of paradigms in a group. Other counts are for paradigms
    only.
    """

    unit: Unit
    condition: str
    model: str
    by_seed: dict[int, float]
    size: int = 0
    applicable: int = 0
    ties: float = 0.0  # share of scored pairs with equal scores, over all seeds
    identical: int = 0
    told_apart: float | None = None  # accuracy excluding identical pairs, averaged over seeds
    unknown_word_pairs: int = 0  # pairs with an unknown word
    unscored: int = 0  # pairs neither identical nor scored, maximum over seeds

    @property
    def mean(self) -> float:
        """The mean over seeds."""
        return math.fsum(self.by_seed.values()) / len(self.by_seed)

    @property
    def sd(self) -> float | None:
        """The standard deviation between seeds (n − 1), or None for one seed."""
        return inference.pooled_sd([list(self.by_seed.values())])


@dataclass(frozen=True, slots=True)
class Contrast:
    """accuracy(condition) − accuracy(reference) of one unit and model, in −1 to 1, with its uncertainty.

    `difference` has the interval that the report shows: over seeds and items, or over seeds only if items are unknown.
    `differences_by_method` has the change by every method of `runner.score.statistics.intervals`, by its key. Only
    targeted contrasts have a verdict.
    """

    unit: Unit
    condition: str
    model: str
    reference: str
    reference_kind: ReferenceKind
    targeted: bool
    difference: Difference
    differences_by_method: Mapping[str, Difference]
    variances: Variances | None = None  # of a paradigm's items and seeds, to plan another run
    holm: float | None = None  # p adjusted over a family of targeted contrasts of the model, see `contrasts.corrected`
    bh: float | None = None
    verdict: Verdict | None = None

    @property
    def over_items(self) -> bool:
        """Whether the interval generalises to other items."""
        return "crossed" in self.differences_by_method


@dataclass(frozen=True, slots=True)
class Headline:
    """The mean change over the targeted paradigms of a condition, or of all conditions (`condition` is empty).

    `references` are the kinds of the conditions that are subtracted. `count` is the number of paradigms. With
    `over_phenomena`, the interval generalises to other phenomena, and `count` is their number. `holm` is p adjusted
    over the conditions of the model; over all conditions, it is p. A condition with one targeted paradigm has the
    adjusted p and the verdict of that paradigm.
    """

    condition: str
    model: str
    references: tuple[ReferenceKind, ...]
    count: int
    difference: Difference
    over_phenomena: bool = False
    holm: float | None = None
    verdict: Verdict = "undecided"


@dataclass(frozen=True, slots=True)
class ProbabilityDelta:
    """The mean probability delta (PΔ) of one paradigm under full and under a condition, and their correlation."""

    unit: Unit
    condition: str
    model: str
    targeted: bool
    full: float
    under_condition: float
    difference: Difference  # ΔPΔ = under_condition − full, Welch over seeds
    robustness: float | None  # Pearson r over items of PΔ under full and under the condition
    split_half: float | None  # r between two halves of the full models' seeds
    ceiling: float | None  # expected r if only the seeds differed
    items: int
    full_deltas: Floats  # (items,) PΔ under full, NaN where not applicable
    condition_deltas: Floats  # (items,) PΔ under the condition


@dataclass(frozen=True, slots=True)
class TextScore:
    """The perplexity of a text under one condition and model, by seed.

    `difference` is perplexity(condition) − perplexity(reference). `unigram_perplexity` is that of a unigram model of
    the training text, averaged over seeds.
    """

    text: str
    condition: str
    model: str
    by_seed: dict[int, float]
    tokens: int | None
    reference: str | None
    difference: Difference | None
    unigram_perplexity: float | None = None

    @property
    def mean(self) -> float:
        """The perplexity averaged over seeds."""
        return sum(self.by_seed.values()) / len(self.by_seed)


@dataclass(frozen=True, slots=True)
class DetectableChange:
    """The smallest detectable change and provable margin for one model.

    They are medians over the contrasts of all paradigms or of the targeted ones.

    `detectable_change` is the smallest change that is detected with power 0.8. `provable_margin` is the smallest
    equivalence margin for which an unchanged accuracy gets the verdict `held` with power 0.8. `sd` is the pooled SD
    between seeds.
    """

    model: str
    paradigms: Literal["all", "targeted"]
    contrasts: int
    sd: float | None
    seeds: int
    detectable_change: float
    provable_margin: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """A paired test of two models, or of a condition and the full one, on means over seeds of the n units of both.

    `measure` is `perplexity of TEXT`, `accuracy` or `accuracy delta` (from full). `paradigms` states whether means
    include all paradigms of a suite or only those that the condition targets. n counts `units`. `within` restricts the
    test to one condition or one paradigm. `with_full` states whether the full condition is among the units or in their
    means. `holm` and `bh` are p-values adjusted over a family of tests. If `within` is empty, the tests of a family
    differ only in `measure`, `suite` and `paradigms`. Otherwise they differ only in `within`, `with_full` and, for
    conditions, `a`.
    """

    measure: str
    suite: str
    paradigms: Literal["all", "targeted"]
    units: Literal["corpora", "benchmarks"]
    within: str
    with_full: bool
    a: str
    b: str
    model: str  # if `a` and `b` are conditions
    test: Paired
    holm: float | None = None
    bh: float | None = None


@dataclass(frozen=True, slots=True)
class UnitCorrelation:
    """Pearson's correlation of two quantities over units, for one model or between two."""

    x: str
    y: str
    suite: str
    units: str
    with_full: bool
    models: tuple[str, ...]
    correlation: Correlation


@dataclass(frozen=True, slots=True)
class Analysis:
    """All statistics of the report."""

    results: Results
    accuracies: dict[tuple[Unit, str, str], Accuracy]
    contrasts: dict[tuple[Unit, str, str, str], Contrast]  # by unit, condition, model, reference
    probability_deltas: tuple[ProbabilityDelta, ...]
    texts: tuple[TextScore, ...]
    detectable: tuple[DetectableChange, ...]
    targets: dict[str, frozenset[str]]  # condition → scored targets, as `suite/paradigm`
    absent_targets: dict[str, tuple[str, ...]]  # condition → targets without scores
    comparisons: tuple[Comparison, ...] = ()
    correlations: tuple[UnitCorrelation, ...] = ()
    headlines: tuple[Headline, ...] = ()
    placebos: tuple[PlaceboTest, ...] = ()

    @property
    def targeted_contrasts(self) -> tuple[Contrast, ...]:
        """The contrasts of targeted paradigms, with controls and with full."""
        return tuple(contrast for contrast in self.contrasts.values() if contrast.targeted)


def full_condition(results: Results) -> Condition | None:
    """Return the condition of kind `full`, if any."""
    return next((condition for condition in results.conditions if condition.kind == "full"), None)


def controls_of(results: Results, name: str) -> tuple[Condition, ...]:
    """Return the controls of a condition: those that name it, and the one that it names.

    If a condition that injects text has targets but no control of its own, its controls are the conditions that inject
    the same share of random text. Several conditions may share them.
    """
    condition = results.condition(name)
    controls = tuple(
        other for other in results.conditions if other.control_of == name or other.name == condition.control
    )
    if controls or not injects(condition) or not condition.targets:
        return controls
    share = injected_share(condition)
    if share is None:
        return ()
    return tuple(other for other in results.conditions if other.random_text and injected_share(other) == share)


def injects(condition: Condition) -> bool:
    """Return whether text is injected into the corpus of a condition, alone or beside other interventions."""
    return condition.kind == "inject" or condition.injected_tokens is not None


def injected_share(condition: Condition) -> float | None:
    """Return the stated share of injected tokens, or else a share rounded to a leading 1, 2 or 5; None if unknown.

    The rounded share is that of the requested tokens, or of the injected tokens if no number was requested.
    """
    if condition.fraction is not None:
        return condition.fraction
    tokens = condition.asked_tokens or condition.injected_tokens
    if not tokens or not condition.words:
        return None
    share = tokens / condition.words
    power = 10.0 ** math.floor(math.log10(share))
    return float(f"{power * min(LEADING_DIGITS, key=lambda step: abs(math.log(share / power / step))):.1g}")


def references(results: Results, condition: Condition) -> Iterator[tuple[Condition, ReferenceKind]]:
    """Yield the references of a condition: its controls first, then the full condition."""
    for control in controls_of(results, condition.name):
        yield control, "control"
    full = full_condition(results)
    if full is not None and condition.kind != "full":
        yield full, "full"
