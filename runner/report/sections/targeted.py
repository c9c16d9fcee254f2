"""Targeted paradigms: headlines, all cells, and intervals over seeds only."""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.words import listed
from runner import formatting
from runner.report.accuracy_tables import detectable
from runner.report.contrast_tables import contrasts, headlines, seed_intervals, targeted, targeted_overview
from runner.report.section import Section
from runner.report.statistics import Analysis
from runner.score.intervals import DESIGNS


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield the section. The page shows it if a scored paradigm is targeted."""
    options = analysis.results.run.report
    intro = (
        f"Intervals are {formatting.percentage(options.confidence)} confidence intervals of a change in points, "
        f"{_sampling_units(analysis)}not adjusted for the number of tests. An accuracy fell or rose if its "
        "interval excludes zero and Holm's p is at most 0.05, over the model's targeted paradigms and all conditions "
        "or, for a mean over several paradigms, over the means of the model's conditions. It did so within the "
        f"margin if the interval also lies within ±{options.equivalence:g} points. Any other interval within "
        f"±{options.equivalence:g} points means that the accuracy held. Otherwise the change is undecided."
    )
    tables = (headlines(analysis), targeted_overview(analysis), targeted(analysis), contrasts(analysis))
    heading = "Targeted paradigms"
    yield Section("targeted", heading, intro, (), (*tables, seed_intervals(analysis), detectable(analysis)))


def _sampling_units(analysis: Analysis) -> str:
    """Return the sampling units of the intervals as a part of a sentence, or "" if no change has an interval."""
    methods = dict.fromkeys(
        contrast.difference.method for contrast in analysis.targeted_contrasts if contrast.difference.low is not None
    )
    units = [
        "items only (one seed)" if method == DESIGNS["items"] else method.removeprefix("over ") for method in methods
    ]
    return f"over {listed(units)}, " if units else ""


SECTIONS = {10: sections}
