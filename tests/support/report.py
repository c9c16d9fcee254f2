"""Sections of a report, made alone."""

from __future__ import annotations

from types import ModuleType

from runner.report.section import Section
from runner.report.statistics import Analysis


def section_of(module: ModuleType, analysis: Analysis) -> Section | None:
    """Return the section of a module, or None if the results have no content for it."""
    made: Section | None = next(module.sections(analysis), None)
    return made
