"""Paired tests of models and corpora, and correlations."""

from __future__ import annotations

from collections.abc import Iterator

from runner.report.analysis.statistics import Analysis
from runner.report.sections.section import Section
from runner.report.tables.model_tables import (
    all_comparisons,
    comparisons_with_full,
    comparisons_within,
    correlations,
    model_comparisons,
)

ORDER = 50


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield the section. The page shows it if a test or a correlation has enough units."""
    intro = (
        "Paired t tests over units that are means over seeds; n is the number of units, not of trained models. Over "
        "corpora, a unit is a corpus, averaged over benchmarks; over benchmarks, a unit is a benchmark, averaged over "
        "corpora. The two weight cells differently and may disagree. Rows with full include the full corpus as a unit, "
        "whose delta is 0 by construction. Accuracies are in percent, their deltas in points."
    )
    tables = (
        model_comparisons(analysis),
        correlations(analysis),
        comparisons_with_full(analysis),
        comparisons_within(analysis, "benchmarks"),
        comparisons_within(analysis, "corpora"),
        all_comparisons(analysis),
    )
    yield Section("models", "Models and corpora compared", intro, (), tables)
