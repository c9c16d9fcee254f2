"""The figures of the report. Each module here has `figures`, and `SECTION`, the id of the section that shows them."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TypeAlias

from runner.report.section import Figure
from runner.report.statistics import Analysis

Drawer: TypeAlias = Callable[[Analysis], Iterator[Figure]]


def figures_of(section: str, analysis: Analysis) -> tuple[Figure, ...]:
    return tuple(figure for name, draw in DRAWERS if name == section for figure in draw(analysis))


MODULES = [import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
DRAWERS: list[tuple[str, Drawer]] = [(module.SECTION, module.figures) for module in MODULES]
