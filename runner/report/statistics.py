"""Typed statistics of the report: accuracies, contrasts, probability deltas, perplexities and placebo effects."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from runner import formatting
from runner.report.records import Condition, Placebo, RunCard
from runner.report.results import Results
from runner.score import inference
from runner.score.change import Verdict
from runner.score.convention import Normalise
from runner.score.inference import Difference, Floats, Paired, placebo_p_value, smallest_p_value
from runner.score.measures import Correlation, mean
from runner.score.pair_matrices import Paradigm
from runner.score.power import Variances
from runner.score.suite_kind import Matrix


@dataclass(frozen=True, slots=True)
class PlaceboTest:
    """Changes from `full` under a condition and the draws of its placebo; `paradigm` is empty for the targeted mean.

    `p` is one-sided, for a drop. `smallest_p` is the smallest p-value that this number of draws can give.
    """

    placebo: str
    condition: str
    model: str
    paradigm: str
    change: float
    draws: tuple[tuple[int, float], ...]  # number of the draw, change
    p: float
    smallest_p: float


def placebo_tests(
    results: Results, accuracies: Mapping[tuple[Unit, str, str], Accuracy], targets: Mapping[str, Collection[str]]
) -> list[PlaceboTest]:
    tests: list[PlaceboTest] = []
    for placebo in results.placebos if results.full else ():
        for model in results.models:
            found = []
            for unit in map(Unit.of, results.paradigms):
                full, changed = (
                    accuracy.by_seed if (accuracy := accuracies.get((unit, name, model))) else {}
                    for name in (results.full.name if results.full else "", placebo.control_of)
                )
                change = mean(value - full[seed] for seed, value in changed.items() if seed in full)
                draws = draw_changes(placebo, model, unit.key, full)
                if change is not None and draws:
                    found.append(_test(placebo.name, placebo.control_of, model, unit.key, change, draws))
            targeted = [test for test in found if test.paradigm in targets.get(placebo.control_of, ())]
            tests += [*found, *_mean_test(targeted)]
    return tests


def _mean_test(tests: Sequence[PlaceboTest]) -> Iterator[PlaceboTest]:
    """Yield the test of the mean over several paradigms. Draws that lack one of them do not count."""
    by_draw = [dict(test.draws) for test in tests]
    common = [draw for draw in by_draw[0] if all(draw in changes for changes in by_draw)] if len(tests) > 1 else []
    if common:
        change = sum(test.change for test in tests) / len(tests)
        draws = [(draw, sum(changes[draw] for changes in by_draw) / len(tests)) for draw in common]
        yield _test(tests[0].placebo, tests[0].condition, tests[0].model, "", change, draws)


def _test(
    placebo: str, condition: str, model: str, paradigm: str, change: float, draws: Sequence[tuple[int, float]]
) -> PlaceboTest:
    p, smallest = placebo_p_value(change, [value for _, value in draws]), smallest_p_value(len(draws))
    return PlaceboTest(placebo, condition, model, paradigm, change, tuple(draws), p, smallest)


def draw_changes(
    placebo: Placebo, model: str, paradigm: str, baseline: Mapping[int, float]
) -> tuple[tuple[int, float], ...]:
    """Return the number of each draw with scores and its change from the baseline (0–1) at the same seed."""
    scored = [(draw, draw.models[model].accuracies.get(paradigm)) for draw in placebo.draws if model in draw.models]
    return tuple(
        (draw.draw, value - baseline[draw.seed])
        for draw, value in scored
        if value is not None and draw.seed in baseline
    )


Level = Literal["paradigm", "phenomenon", "field", "suite"]
ReferenceKind = Literal["full", "control"]
LEADING_DIGITS = (1, 2, 5, 10)  # of rounded shares of tokens


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit of an accuracy: a paradigm, or the unweighted mean over the paradigms of a group."""

    level: Level
    suite: str
    name: str

    @classmethod
    def of(cls, paradigm: Paradigm | Matrix) -> Unit:
        return cls("paradigm", paradigm.suite, paradigm.name)

    @classmethod
    def of_key(cls, key: str) -> Unit:
        suite, _, name = key.rpartition("/")
        return cls("paradigm", suite, name)

    @classmethod
    def of_suite(cls, suite: str) -> Unit:
        return cls("suite", suite, suite)

    @property
    def key(self) -> str:
        return f"{self.suite}/{self.name}"


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The accuracy (0–1) of one unit under one condition and model. All counts but `size` are for paradigms only."""

    unit: Unit
    condition: str
    model: str
    by_seed: dict[int, float]
    size: int = 0  # pairs or items of a paradigm, or paradigms in a group
    applicable: int = 0
    ties: float = 0.0  # share of scored pairs with equal scores, over all seeds
    identical: int = 0
    told_apart: float | None = None  # accuracy excluding identical pairs, averaged over seeds
    unknown_word_pairs: int = 0  # pairs with an unknown word
    unscored: int = 0  # pairs neither identical nor scored, maximum over seeds

    @property
    def mean(self) -> float:
        return math.fsum(self.by_seed.values()) / len(self.by_seed)

    @property
    def sd(self) -> float | None:
        return inference.pooled_sd([list(self.by_seed.values())])


@dataclass(frozen=True, slots=True)
class Contrast:
    """accuracy(condition) − accuracy(reference) of one unit and model, in −1 to 1, with its uncertainty.

    `difference` has the interval that the report shows: over seeds and items, or over seeds only if items are unknown.
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
        return "crossed" in self.differences_by_method


@dataclass(frozen=True, slots=True)
class Headline:
    """The mean change over the targeted paradigms of a condition, or of all conditions (`condition` is empty).

    With `over_phenomena`, the interval generalises to other phenomena, and `count` is their number. `holm` is adjusted
    over the conditions of the model. A condition with one paradigm has the adjusted p and the verdict of it.
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
    text: str
    condition: str
    model: str
    by_seed: dict[int, float]
    tokens: int | None
    reference: str | None
    difference: Difference | None  # perplexity(condition) − perplexity(reference)
    unigram_perplexity: float | None = None  # of a unigram model of the training text, averaged over seeds

    @property
    def mean(self) -> float:
        return sum(self.by_seed.values()) / len(self.by_seed)


@dataclass(frozen=True, slots=True)
class DetectableChange:
    model: str
    paradigms: Literal["all", "targeted"]
    contrasts: int
    sd: float | None  # between seeds, pooled
    seeds: int
    detectable_change: float  # the smallest change that is detected with power 0.8
    provable_margin: float  # of equivalence; with it, an unchanged accuracy gets the verdict `held` with power 0.8


@dataclass(frozen=True, slots=True)
class Comparison:
    """A paired test of two models, or of a condition and the full one, on means over seeds of the n units of both.

    `measure` is `perplexity of TEXT`, `accuracy` or `accuracy delta`. `within` restricts the test to one condition or
    paradigm. `with_full` is whether full is among the units or in their means. The tests of a family differ only in
    `measure`, `suite` and `paradigms` or, with `within`, in that, in `with_full` and, for conditions, in `a`.
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
    x: str
    y: str
    suite: str
    units: str
    with_full: bool
    models: tuple[str, ...]
    correlation: Correlation


@dataclass(frozen=True, slots=True)
class Analysis:
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
    def full(self) -> Condition | None:
        return self.results.full

    @property
    def confidence(self) -> float:
        return self.results.confidence

    @property
    def level(self) -> str:
        return formatting.percentage(self.results.confidence)

    def label(self, unit: Unit) -> str:
        return self.results.paradigm_label(unit.suite, unit.name)

    @property
    def targeted_contrasts(self) -> tuple[Contrast, ...]:
        return tuple(contrast for contrast in self.contrasts.values() if contrast.targeted)


def controls_of(results: Results, name: str) -> tuple[Condition, ...]:
    """Return the controls that name a condition, and the one that it names; else of injections with equal shares."""
    condition = results.condition(name)
    controls = tuple(each for each in results.conditions if each.control_of == name or each.name == condition.control)
    share = injected_share(condition) if injects(condition) and condition.targets else None
    if controls or share is None:
        return controls
    return tuple(each for each in results.conditions if each.random_text and injected_share(each) == share)


def injects(condition: Condition) -> bool:
    return condition.kind == "inject" or condition.injected_tokens is not None


def injected_share(condition: Condition) -> float | None:
    """Return the stated share of injected tokens, or the share in fact rounded to 1, 2 or 5 × 10ᵏ; None if unknown."""
    if condition.fraction is not None:
        return condition.fraction
    tokens = condition.asked_tokens or condition.injected_tokens
    if not tokens or not condition.words:
        return None
    share = tokens / condition.words
    power = 10.0 ** math.floor(math.log10(share))
    return float(f"{power * min(LEADING_DIGITS, key=lambda step: abs(math.log(share / power / step))):.1g}")


def references(results: Results, condition: Condition) -> Iterator[tuple[Condition, ReferenceKind]]:
    for control in controls_of(results, condition.name):
        yield control, "control"
    full = results.full
    if full is not None and condition.kind != "full":
        yield full, "full"


def placebo_changes(analysis: Analysis, contrast: Contrast) -> tuple[tuple[int, float], ...]:
    """Return the number and the change of each placebo draw from a contrast's own baseline, at the seed of the draw."""
    baseline = analysis.accuracies.get((contrast.unit, contrast.reference, contrast.model))
    if baseline is None:
        return ()
    paradigm = contrast.unit.key
    placebos = (placebo for placebo in analysis.results.placebos if placebo.control_of == contrast.condition)
    changes_by_placebo = (draw_changes(placebo, contrast.model, paradigm, baseline.by_seed) for placebo in placebos)
    return tuple(change for changes in changes_by_placebo for change in changes)


@dataclass(frozen=True, slots=True)
class ScoreName:
    term: str
    unit: str

    @property
    def difference(self) -> str:
        return f"{self.term}(good) − {self.term}(bad)"


# names as in Lau, Clark and Lappin 2017; `runner.score.convention` has the formulas
NAMES: Mapping[Normalise, ScoreName] = {
    "sum": ScoreName("ln P", "nats"),
    "mean": ScoreName("MeanLP", "nats per token"),
    "penlp": ScoreName("PenLP", "PenLP"),
    "slor": ScoreName("SLOR", "SLOR"),
    "normlp": ScoreName("NormLP", "NormLP"),
}
SEVERAL = ScoreName("score", "the unit of each suite's scores")


def score_name(run: RunCard, suites: Iterable[str]) -> ScoreName:
    """Return the score name that all suites share, or `SEVERAL`. Unknown conventions are assumed to be sums."""
    names = {NAMES[run.convention.get(suite, {}).get("normalise", "sum")] for suite in suites}
    return next(iter(names), NAMES["sum"]) if len(names) < 2 else SEVERAL


def probability_name(analysis: Analysis) -> ScoreName:
    return score_name(analysis.results.run, {delta.unit.suite for delta in analysis.probability_deltas})
