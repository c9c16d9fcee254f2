"""The accuracies of all paradigms and groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from runner.report.accuracy_tables import accuracy, failed, groups, paradigms
from runner.report.section import Section
from runner.report.statistics import Analysis
from runner.tables import Table


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield the section with the tables of all suites."""
    suites = analysis.results.suites
    tables = [table for suite in suites for table in _tables(analysis, suite, with_name=len(suites) > 1)]
    intro = "Accuracy in percent, mean over seeds; tooltips list the seeds. Click a heading to sort."
    if any(len(paradigm.item) for paradigm in analysis.results.paradigms):
        intro = intro.replace("to sort.", "to sort, or a paradigm to see example pairs.")
    saved_tables = (accuracy(analysis), failed(analysis))
    yield Section("paradigms", "All paradigms", intro, (), (*tables, *saved_tables))


def _tables(analysis: Analysis, suite: str, *, with_name: bool) -> tuple[Table, Table]:
    grouped = replace(groups(analysis, suite), title=f"By phenomenon and field{f': {suite}' if with_name else ''}")
    all_paradigms = replace(paradigms(analysis, suite), title=suite if with_name else "")
    return all_paradigms, replace(grouped, note="Unweighted means over paradigms.")


SECTIONS = {30: sections}
