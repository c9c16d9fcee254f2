"""Detectable changes and provable margins by number of seeds, with a panel for each number of pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from runner.report.analysis.contrasts import pilot
from runner.report.analysis.statistics import Analysis
from runner.report.render import formatting
from runner.report.render.figure import Figure
from runner.report.render.lines import Series, legend, panel
from runner.report.render.plot import Axis, axis
from runner.report.render.svg import drawing, line, svg_text
from runner.score.statistics.power import limits

SECTION = "targeted"
SEEDS, PAIRS = (1, 2, 3, 5, 10, 20), (200, 1000)
WIDTH, HEIGHT, LEFT, TOP, GAP = 300, 200, 46, 40, 60
NAMES = ("smallest change detected", "smallest margin proven")


def figures(analysis: Analysis) -> Iterator[Figure]:
    """Yield the figure if targeted cells have variance components, which need two seeds."""
    drawn = power_figure(analysis, SEEDS, PAIRS) if analysis.targeted else None
    if drawn is not None:
        yield Figure("power", "What other numbers of seeds and pairs would detect and prove", drawn)


def power_figure(analysis: Analysis, seeds: Sequence[int], pairs: Sequence[int]) -> str | None:
    """Return the unstyled `<svg>` of medians and ranges over the cells of `pilot`, or None if there are no cells."""
    cells = pilot(list(analysis.contrasts.values()))
    if not cells:
        return None
    seed_counts = sorted(set(seeds))
    series_by_items = {items: _series(analysis, seed_counts, items) for items in sorted(set(pairs))}
    highest = max(
        point[3] for panel_series in series_by_items.values() for series in panel_series for point in series.points
    )
    margin = analysis.results.run.report.equivalence / 100
    up = axis([0.0, 1.5 * max(highest, margin) if len(seed_counts) < 2 else highest], TOP + HEIGHT, -HEIGHT, zero=True)
    body: list[str] = []
    for i, (items, series) in enumerate(series_by_items.items()):
        left = LEFT + i * (WIDTH + GAP)
        across = Axis(0.0, seed_counts[-1] * 1.05, left, WIDTH)
        body += panel(series, across, up, f"{items:,} pairs, points", title_x="seeds on each side", factor=100)
        body.append(line(left, up(margin), left + WIDTH, up(margin), "dashed"))
        body.append(svg_text(f"±{100 * margin:g}", left + WIDTH + 4, up(margin) + 4, class_="small muted"))
    body += legend(next(iter(series_by_items.values())), LEFT, TOP + HEIGHT + 54)
    note = f"median and range over {formatting.plural(len(cells), 'cell')}; dashed: the margin of equivalence"
    body.append(svg_text(note, LEFT + 220, TOP + HEIGHT + 54, class_="small muted"))
    width = LEFT + len(series_by_items) * (WIDTH + GAP)
    return drawing(body, max(width, 620), TOP + HEIGHT + 80, "Smallest detectable change and provable margin")


def _series(analysis: Analysis, seeds: Sequence[int], items: int) -> list[Series]:
    cells = pilot(list(analysis.contrasts.values()))
    confidence = analysis.results.run.report.confidence
    points: tuple[list[tuple[float, float, float, float]], ...] = ([], [])
    for number in seeds:
        values = [limits(*cell.variances.se(number, items), confidence) for cell in cells if cell.variances]
        for i, side in enumerate(zip(*values, strict=True)):
            points[i].append((float(number), float(np.median(side)), min(side), max(side)))
    return [Series(name, i, tuple(points[i])) for i, name in enumerate(NAMES)]
