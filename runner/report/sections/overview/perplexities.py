"""Perplexities of texts."""

from __future__ import annotations

from collections.abc import Iterator

from runner.report.analysis.statistics import Analysis
from runner.report.sections.section import Section
from runner.report.tables.texts import perplexities, perplexity

ORDER = 40


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield the section."""
    intro = (
        "exp(−Σ ln p / N) over all predicted tokens of a text, mean over seeds. The second line is the change against "
        "the control or, without one, the full corpus. Perplexities are comparable only between models with the same "
        "vocabulary."
    )
    if analysis.results.run.masked:
        intro += " A pseudo-perplexity is that of masked words; it is comparable only between masked models."
    yield Section("perplexity", "Perplexity", intro, (), (perplexities(analysis), perplexity(analysis)))
