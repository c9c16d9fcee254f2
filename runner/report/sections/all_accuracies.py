"""A heatmap of all accuracies (Patil et al. 2024, figure 6)."""

from __future__ import annotations

from collections.abc import Iterator

from runner.report.figures.heatmap import figure
from runner.report.section import Section, slug
from runner.report.statistics import Analysis
from runner.score.convention import UNIGRAM


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield a section of heatmaps of all accuracies if several conditions have scores."""
    if len({condition for _, condition, model in analysis.accuracies if model != UNIGRAM}) < 2:
        return
    figures = tuple(
        figure(analysis, suite, slug(f"accuracies-{suite}"), f"All accuracies: {suite}", only_accuracies=True)
        for suite in analysis.results.suites
    )
    intro = (
        "Accuracy of every paradigm under every condition, mean over seeds, in percent; targeted cells have a frame."
    )
    yield Section("all-accuracies", "All accuracies", intro, figures)


SECTIONS = {220: sections}
