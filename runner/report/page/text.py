"""The report as text for a terminal: the answer, warnings, cautions and the tables of some sections."""

from __future__ import annotations

from collections.abc import Sequence

from fictdsl.diagnostics.display import printable
from runner.report.page.report import Report
from runner.tables import Table, aligned, lines

SECTIONS = ("replication", "models", "preferences", "targeted")  # ids of the sections whose tables are shown


def to_text(report: Report) -> str:
    """Return the answer, warnings, cautions and tables. Control characters are escaped; lines are as wide as needed."""
    paragraphs = [
        report.analysis.results.run.name,
        *_manifest(report),
        *report.answer.alerts,
        report.answer.paragraph,
        *(f"warning: {warning.text}{_subjects(warning.subjects)}" for warning in report.warnings),
        *(f"note: {caution}" for caution in report.answer.cautions),
        *(_table_text(table) for section_id in SECTIONS for table in _tables(report, section_id)),
    ]
    return "\n".join(map(printable, "\n\n".join(paragraphs).split("\n"))) + "\n"


def _manifest(report: Report) -> Sequence[str]:
    manifest = report.analysis.results.run.manifest
    return [f"Made from the manifest {manifest.name}, sha256 {manifest.sha256[:12]}"] if manifest.name else []


def _tables(report: Report, section_id: str) -> Sequence[Table]:
    return [table for section in report.sections if section.id == section_id for table in section.shown]


def _subjects(subjects: Sequence[str]) -> str:
    return "".join(f"\n  {subject}" for subject in subjects)


def _table_text(table: Table) -> str:
    """Return a title above aligned columns."""
    return "\n".join([table.title, *aligned(lines(table))])
