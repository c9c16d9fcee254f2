"""The conventions of suites to what their scores are called, and the unit of these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from runner.report.analysis.statistics import Analysis
from runner.report.results.results import RunCard
from runner.score.scoring.convention import Normalise


@dataclass(frozen=True, slots=True)
class ScoreName:
    """What the score of a sentence is called, and the unit of scores and of their differences."""

    term: str
    unit: str

    @property
    def difference(self) -> str:
        """What PΔ of a pair is."""
        return f"{self.term}(good) − {self.term}(bad)"


# names as in Lau, Clark and Lappin 2017; `runner.score.scoring.convention` has the formulas
NAMES: Mapping[Normalise, ScoreName] = {
    "sum": ScoreName("ln P", "nats"),
    "mean": ScoreName("MeanLP", "nats a token"),
    "penlp": ScoreName("PenLP", "PenLP"),
    "slor": ScoreName("SLOR", "SLOR"),
    "normlp": ScoreName("NormLP", "NormLP"),
}
SEVERAL = ScoreName("score", "as each suite is scored")


def score_name(run: RunCard, suites: Iterable[str]) -> ScoreName:
    """That of all these suites; of a suite whose convention is not known, as of a table of results, sums are meant."""
    found = {NAMES[run.convention.get(suite, {}).get("normalise", "sum")] for suite in suites}
    return next(iter(found), NAMES["sum"]) if len(found) < 2 else SEVERAL


def probability_name(analysis: Analysis) -> ScoreName:
    """That of all suites of which there are probability deltas."""
    return score_name(analysis.results.run, {one.unit.suite for one in analysis.probabilities})
