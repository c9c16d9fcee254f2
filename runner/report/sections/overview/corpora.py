"""Training corpora and their filters."""

from __future__ import annotations

from collections.abc import Iterator

from runner.report.analysis.statistics import Analysis
from runner.report.sections.section import Section
from runner.report.tables.corpora import corpora, filters

ORDER = 900  # last


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield the section with the tables of corpora and filters. The HTML page adds filter texts and examples."""
    yield Section("corpora", "Corpora and filters", "", (), (corpora(analysis), filters(analysis)))
