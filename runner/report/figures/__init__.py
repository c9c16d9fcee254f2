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
    """Return the figures of a section, in the order of the module names."""
    return tuple(figure for name, draw in DRAWERS if name == section for figure in draw(analysis))


def _discover() -> Iterator[tuple[str, Drawer]]:
    for info in pkgutil.iter_modules(__path__):
        if info.ispkg:  # a package has parts of figures, but no figure
            continue
        module = import_module(f"{__name__}.{info.name}")
        yield module.SECTION, module.figures


DRAWERS = tuple(_discover())
