"""Sections of a report, made alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from runner.report.section import Section
from runner.report.statistics import Analysis


def section_of(make: Callable[[Analysis], Iterator[Section]], analysis: Analysis) -> Section | None:
    """Return a section, or None if the results have no content for it."""
    return next(make(analysis), None)
