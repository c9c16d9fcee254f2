"""All optional sections of the report."""

from __future__ import annotations

from collections.abc import Callable

from runner.report.analysis.statistics import Analysis
from runner.report.sections.all_accuracies import all_accuracies
from runner.report.sections.between_models import between_models
from runner.report.sections.corruptions import corruptions, substitutions
from runner.report.sections.curves import curves
from runner.report.sections.injections import injections
from runner.report.sections.ratings import ratings
from runner.report.sections.sensitivity import sensitivity
from runner.report.sections.sentences import sentences
from runner.report.sections.side_by_side import side_by_side
from runner.report.sections.syntaxgym import syntaxgym
from runner.report.sections.taken_out import taken_out
from runner.report.sections.token_by_token import token_by_token
from runner.report.sections.winobias import winobias
from runner.report.views.section import Section

MAKERS: tuple[Callable[[Analysis], Section | None], ...] = (
    side_by_side,
    injections,
    corruptions,
    substitutions,
    token_by_token,
    ratings,
    syntaxgym,
    between_models,
    sentences,
    curves,
    winobias,
    sensitivity,
    all_accuracies,
    taken_out,
)


def sections(analysis: Analysis) -> tuple[Section, ...]:
    """Return the sections with content, in the order of the page."""
    return tuple(section for make in MAKERS if (section := make(analysis)) is not None)
