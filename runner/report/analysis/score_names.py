"""Names and units of scores under each suite's convention."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from runner.report.analysis.statistics import Analysis
from runner.report.results.results import RunCard
from runner.score.scoring.convention import Normalise


@dataclass(frozen=True, slots=True)
class ScoreName:
    """The name of sentence scores, and the unit of scores and of their differences."""

    term: str
    unit: str

    @property
    def difference(self) -> str:
        """The definition of a pair's PΔ."""
        return f"{self.term}(good) − {self.term}(bad)"


# names as in Lau, Clark and Lappin 2017; `runner.score.scoring.convention` has the formulas
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
    """Return the score name that all suites with probability deltas share, or `SEVERAL`."""
    return score_name(analysis.results.run, {delta.unit.suite for delta in analysis.probability_deltas})
