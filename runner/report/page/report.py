"""A report: the analysis, its answer and its sections, made once for the page, CSV, JSON and the terminal."""

from __future__ import annotations

from dataclasses import dataclass

from runner.report.analysis.statistics import Analysis
from runner.report.page.answer import Answer, answer
from runner.report.page.methods import methods_of
from runner.report.page.notices import Notice, notices
from runner.report.sections.gather import sections
from runner.report.sections.section import Section
from runner.tables import Table


@dataclass(frozen=True, slots=True)
class Report:
    """The content of a report, from which every format is written."""

    analysis: Analysis
    answer: Answer
    sections: tuple[Section, ...]
    methods: tuple[tuple[str, str], ...]
    warnings: tuple[Notice, ...]

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables in CSV and JSON."""
        return tuple(table for section in self.sections for table in section.saved)


def report_of(analysis: Analysis) -> Report:
    """Return the report of an analysis."""
    return Report(analysis, answer(analysis), sections(analysis), methods_of(analysis), notices(analysis.results))
