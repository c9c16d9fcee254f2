"""Gather the sections of the report from the folders beside this module."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from typing import TypeAlias

from runner.report import sections as package
from runner.report.analysis.statistics import Analysis
from runner.report.figures import figures_of
from runner.report.sections.section import Section

Maker: TypeAlias = Callable[[Analysis], Iterator[Section]]


def sections(analysis: Analysis) -> tuple[Section, ...]:
    """Return the sections in the order of the page, each with its own figures before those of `runner.report.figures`.

    A section that is not `visible` is not on the page; only its files are written.
    """
    made_sections = (section for _, make in MAKERS for section in make(analysis))
    return tuple(
        replace(section, figures=section.figures + figures_of(section.id, analysis)) for section in made_sections
    )


def _discover() -> Iterator[tuple[int, Maker]]:
    """Yield `ORDER` and `sections` of each module that has an order."""
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        module = import_module(info.name)
        if hasattr(module, "ORDER"):
            yield module.ORDER, module.sections


MAKERS = tuple(sorted(_discover(), key=lambda pair: pair[0]))
