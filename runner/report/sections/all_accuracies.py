"""Every accuracy as a heatmap (figure 6 of the FiCT paper)."""

from __future__ import annotations

from runner.manifest.model import BASELINE
from runner.report.analysis.statistics import Analysis
from runner.report.figures.heatmap import heatmap
from runner.report.render.names import slug
from runner.report.views.section import Figure, Section


def all_accuracies(analysis: Analysis) -> Section | None:
    """Return heatmaps of all accuracies, or None if only one condition has scores."""
    if len({condition for _, condition, model in analysis.accuracies if model != BASELINE}) < 2:
        return None
    figures = tuple(
        Figure(slug(f"accuracies-{suite}"), suite, heatmap(analysis, suite, every=True))
        for suite in analysis.results.suites
    )
    intro = (
        "Accuracy of every paradigm under every condition, mean over seeds, in percent; targeted cells have a frame."
    )
    return Section("all-accuracies", "Every accuracy", intro, figures)
