"""Values of trainings between beginning and end: learning curves a phenomenon, losses, and their table."""

from __future__ import annotations

from collections.abc import Sequence

from runner.report.analysis.statistics import Analysis
from runner.report.figures.lines import Series, keys, over_seeds, panel
from runner.report.render.names import slug
from runner.report.render.plot import Axis, axis
from runner.report.render.svg import drawing
from runner.report.results.given import blimp
from runner.report.results.results import Point
from runner.report.tables.table import Column, Table
from runner.report.views.section import Figure, Section

WIDTH, HEIGHT, ACROSS = 250, 170, 3
LEFT, TOP, NAME = 54, 34, 15
FIGURES = 8  # learning curves on the page; the table has all
METRICS = {"loss": "loss, nats a token, of", "ppl": "perplexity of", "pearson": "Pearson's r with ratings:"}


def curves(analysis: Analysis) -> Section | None:
    """Accuracy over training, grouped by phenomenon (the injection paper's learning curves), and losses of texts."""
    points = analysis.results.points
    if not points:
        return None
    figures = [*_texts(points)]
    scored = [point for point in points if point.metric == "accuracy"]
    cells = list(dict.fromkeys((point.condition, point.model) for point in scored))
    for condition, model in cells[:FIGURES]:
        mine = [point for point in scored if (point.condition, point.model) == (condition, model)]
        for suite in dict.fromkeys(point.benchmark.rpartition("/")[0] for point in mine):
            name = slug(f"curves-{suite}-{condition}-{model}")
            title = f"{suite} under {condition}, {model}: accuracy, %"
            own = [point for point in mine if point.benchmark.rpartition("/")[0] == suite]
            figures.append(Figure(name, title, _phenomena(own, analysis)))
    said = (
        "What is measured at checkpoints: the number of training tokens (or steps) goes along on a logarithmic scale; "
        "lines are means over seeds, bands run from the lowest to the highest seed."
    )
    return Section("curves", "Learning curves", said, tuple(figures), (), (_table(points),))


def by_name(points: Sequence[Point]) -> dict[str, dict[int, dict[float, float]]]:
    """Values by benchmark, seed and place."""
    found: dict[str, dict[int, dict[float, float]]] = {}
    for point in points:
        found.setdefault(point.benchmark, {}).setdefault(point.seed, {})[float(point.at)] = point.value
    return found


def along(points: Sequence[Point], start: float, length: float) -> Axis:
    """The axis of training: logarithmic, if nothing is at 0."""
    return axis([float(point.at) for point in points], start, length, log=min(point.at for point in points) > 0)


def _phenomena(points: Sequence[Point], analysis: Analysis) -> str:
    """A panel a phenomenon, a line a paradigm."""
    known = {f"{p.suite}/{p.name}": p.phenomenon for p in analysis.results.paradigms}
    groups: dict[str, list[str]] = {}
    for benchmark in dict.fromkeys(point.benchmark for point in points):
        paradigm = benchmark.rpartition("/")[2]
        phenomenon = known.get(benchmark) or blimp().get(paradigm, ("", ""))[0] or "paradigms"
        groups.setdefault(phenomenon, []).append(benchmark)
    values = by_name(points)
    body: list[str] = []
    y, bottom = 10.0, 0.0
    for i, (phenomenon, benchmarks) in enumerate(sorted(groups.items())):
        column = i % ACROSS
        if column == 0:
            y = bottom + 10
        left = LEFT + column * (WIDTH + LEFT + 10)
        across = along(points, left, WIDTH)
        up = Axis(0.0, 1.0, y + TOP + HEIGHT, -HEIGHT)
        series = [Series(b.rpartition("/")[2], n, over_seeds(values[b])) for n, b in enumerate(benchmarks)]
        body += panel(series, across, up, phenomenon.replace("_", " "), factor=100)
        body += keys(series, left, y + TOP + HEIGHT + 34)
        bottom = max(bottom, y + TOP + HEIGHT + 34 + NAME * len(series) + 10)
    return drawing(body, ACROSS * (WIDTH + LEFT + 10) + 90, bottom, "Learning curves by phenomenon")


def _texts(points: Sequence[Point]) -> list[Figure]:
    """Loss and perplexity of each text, and correlations with ratings, a line a condition and model."""
    found = []
    for metric, what in METRICS.items():
        for text in dict.fromkeys(point.benchmark for point in points if point.metric == metric):
            mine = [point for point in points if (point.metric, point.benchmark) == (metric, text)]
            series = []
            for n, (condition, model) in enumerate(dict.fromkeys((p.condition, p.model) for p in mine)):
                own = [point for point in mine if (point.condition, point.model) == (condition, model)]
                series.append(Series(f"{condition}, {model}", n, over_seeds(by_name(own)[text])))
            across = along(mine, LEFT, 460)
            up = axis((point.value for point in mine), TOP + 220, -220, log=metric == "ppl")
            title = f"{what} {text}"
            body = panel(series, across, up, title, title_x="training tokens")
            body += keys(series, LEFT + 480, TOP + 10)
            height = max(TOP + 270, TOP + 20 + 16 * len(series))
            svg = drawing(body, LEFT + 480 + 260, height, title)
            found.append(Figure(slug(f"training-{metric}-{text}"), title, svg))
    return found


def _table(points: Sequence[Point]) -> Table:
    names = ("condition", "model", "seed", "at", "benchmark", "metric", "value")
    columns = tuple(Column(name, name, "number" if name in ("seed", "at", "value") else "text") for name in names)
    rows = tuple(tuple(getattr(point, name) for name in names) for point in points)
    return Table("curves", "Values at checkpoints", columns, rows)
