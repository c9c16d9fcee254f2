"""Detectable changes and provable margins by number of seeds, with a panel for each number of pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from fictdsl.words import counted
from runner.report.charts import Axis, Series, axis, legend, panel
from runner.report.contrasts import pilot_contrasts
from runner.report.markup import drawing, line, svg_text
from runner.report.section import Figure
from runner.report.statistics import Analysis, Contrast

SECTION = "targeted"
SEEDS, PAIRS = (2, 3, 5, 10, 20), (200, 1000)  # not one seed, whose interval is over items only
WIDTH, HEIGHT, LEFT, TOP, GAP = 300, 200, 46, 40, 60
NAMES = ("smallest detectable change", "smallest provable margin")


def figures(analysis: Analysis) -> Iterator[Figure]:
    drawn = power_figure(analysis, SEEDS, PAIRS) if analysis.targeted_contrasts else None
    if drawn is not None:
        yield Figure("power", "Detectable changes and provable margins for other numbers of seeds and pairs", drawn)


def power_figure(analysis: Analysis, seeds: Sequence[int], pairs: Sequence[int]) -> str | None:
    """Return the unstyled `<svg>` of medians and ranges of what `fictc power` promises, clipped at 100 points."""
    cells = _varying_cells(analysis)
    if not cells:
        return None
    seed_counts = sorted(set(seeds))
    series_by_items = {items: _series(cells, seed_counts, items, analysis.confidence) for items in sorted(set(pairs))}
    highest = max(
        point[3] for series in series_by_items.values() for single_series in series for point in single_series.points
    )
    margin = analysis.results.run.report.equivalence / 100
    top = min(1.0, max(highest, margin) * (1.5 if len(seed_counts) < 2 else 1.0))
    body: list[str] = []
    bottom = TOP + HEIGHT
    for i, (items, series) in enumerate(series_by_items.items()):
        left = LEFT + i * (WIDTH + GAP)
        axes = Axis(0.0, seed_counts[-1] * 1.05, left, WIDTH), axis([0.0, top], bottom, -HEIGHT, zero=True)
        body += panel(series, *axes, f"{counted(items, 'pair')}, points", title_x="seeds on each side", factor=100)
        body.append(line(left, axes[1](margin), left + WIDTH, axes[1](margin), "dashed"))
        body.append(svg_text(f"±{100 * margin:g}", left + WIDTH + 4, axes[1](margin) + 4, class_="small muted"))
    legend_y = bottom + 54
    body += legend(next(iter(series_by_items.values())), LEFT, legend_y)
    notes = (
        f"median and range over {counted(len(cells), 'cell')}, at the upper limit of the variance",
        "dashed: the margin of equivalence",
    )
    notes_x, notes_y = (LEFT + 180, legend_y) if len(series_by_items) > 1 else (LEFT, legend_y + 34)
    for i, note in enumerate(notes):
        body.append(svg_text(note, notes_x, notes_y + 15 * i, class_="small muted"))
    width = LEFT + len(series_by_items) * (WIDTH + GAP) - GAP + 34
    return drawing(body, width, notes_y + 26, "Smallest detectable change and provable margin")


def _varying_cells(analysis: Analysis) -> list[Contrast]:
    """Return the contrasts of `pilot_contrasts` whose decisions vary. Constant decisions say nothing about power."""
    cells = pilot_contrasts(list(analysis.contrasts.values()))
    return [cell for cell in cells if cell.variances is not None and cell.variances.se(2, 2)[0] > 0]


def _series(cells: Sequence[Contrast], seeds: Sequence[int], items: int, confidence: float) -> list[Series]:
    points: tuple[list[tuple[float, float, float, float]], ...] = ([], [])
    for seed_count in seeds:
        limits = [cell.variances.limits(seed_count, items, confidence) for cell in cells if cell.variances]
        upper_limits = [upper for _, upper in filter(None, limits)]
        values = [limit.detectable for limit in upper_limits], [limit.provable for limit in upper_limits]
        for i, limit_values in enumerate(values):
            median = float(np.median(limit_values))
            points[i].append((float(seed_count), median, min(limit_values), max(limit_values)))
    return [Series(name, i, tuple(points[i])) for i, name in enumerate(NAMES)]
