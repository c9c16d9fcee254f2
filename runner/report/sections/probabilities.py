"""Probability deltas of pairs before and after an intervention."""

from __future__ import annotations

from collections.abc import Iterator

from runner.report.section import Section
from runner.report.sections.perplexities import probability, targeted_probability
from runner.report.statistics import Analysis, probability_name


def sections(analysis: Analysis) -> Iterator[Section]:
    scores = probability_name(analysis)
    intro = (
        f"PΔ of a pair is {scores.difference}, averaged over seeds. It measures the strength of a preference, while "
        "accuracy counts only its direction. r is the correlation of PΔ over pairs before and after the intervention; "
        "the ceiling is its expected value if only the seeds differed. Controls are grey."
    )
    tables = (targeted_probability(analysis), probability(analysis))
    yield Section("probability", "Probability delta", intro, (), tables)


SECTIONS = {60: sections}
