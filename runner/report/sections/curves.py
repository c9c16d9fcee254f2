"""Learning curves by phenomenon, losses at checkpoints, and a table of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner.report.charts import LINE_HEIGHT, Axis, Series, axis, legend, panel, seed_ranges
from runner.report.imported_results import blimp_groups
from runner.report.markup import drawing
from runner.report.results import Point
from runner.report.section import Figure, Section, slug
from runner.report.statistics import Analysis
from runner.tables import Table, saved

WIDTH, HEIGHT, PANELS_PER_ROW = 250, 170, 3
LEFT, TOP, LENGTH = 54, 34, 460
MAX_MODELS = 8  # number of pairs of condition and model with learning curves; the table has all of them
X_TITLE = "training tokens (or steps)"
COLUMNS = ("condition", "model", "seed", "at", "benchmark", "metric", "value")
METRICS = {"loss": "loss (nats per token) of", "ppl": "perplexity of", "pearson": "Pearson's r with ratings:"}


def sections(analysis: Analysis) -> Iterator[Section]:
    points = analysis.results.points
    if not points:
        return
    curve_points = measured_twice(points)  # a curve needs two points
    figures = [*_text_figures(curve_points)]
    groups: dict[tuple[str, str], dict[str, list[Point]]] = {}  # by condition and model, and suite
    for point in curve_points:
        if point.metric == "accuracy":
            suites = groups.setdefault((point.condition, point.model), {})
            suites.setdefault(point.benchmark.rpartition("/")[0], []).append(point)
    for (condition, model), suites in [*groups.items()][:MAX_MODELS]:
        for suite, suite_points in suites.items():
            title = f"{suite} under {condition}, {model}: accuracy, %"
            svg = _phenomenon_panels(suite_points, analysis)
            figures.append(Figure(slug(f"curves-{suite}-{condition}-{model}"), title, svg))
    intro = (
        "Values measured at checkpoints. The x axis is the number of training tokens (or steps), on a logarithmic "
        "scale unless a value was measured before training. Lines are means over seeds; bands range from the lowest to "
        "the highest seed."
    )
    table = Table("curves", "Values at checkpoints", saved(*COLUMNS), points, shown=False)
    yield Section("curves", "Learning curves", intro, tuple(figures), (table,))


def measured_twice(points: Sequence[Point]) -> list[Point]:
    checkpoints: dict[tuple[str, str, str, str], dict[int, set[float]]] = {}
    for point in points:
        key = (point.condition, point.model, point.benchmark, point.metric)
        checkpoints.setdefault(key, {}).setdefault(point.seed, set()).add(point.at)
    curve_keys = {key for key, by_seed in checkpoints.items() if any(len(at) > 1 for at in by_seed.values())}
    return [point for point in points if (point.condition, point.model, point.benchmark, point.metric) in curve_keys]


def values_by_benchmark(points: Sequence[Point]) -> dict[str, dict[int, dict[float, float]]]:
    values: dict[str, dict[int, dict[float, float]]] = {}
    for point in points:
        values.setdefault(point.benchmark, {}).setdefault(point.seed, {})[float(point.at)] = point.value
    return values


def training_axis(points: Sequence[Point], start: float, length: float) -> Axis:
    return axis([float(point.at) for point in points], start, length, log=min(point.at for point in points) > 0)


def _phenomenon_panels(points: Sequence[Point], analysis: Analysis) -> str:
    phenomenon_by_key = {paradigm.key: paradigm.phenomenon for paradigm in analysis.results.paradigms}
    groups: dict[str, list[str]] = {}
    for benchmark in dict.fromkeys(point.benchmark for point in points):
        paradigm = benchmark.rpartition("/")[2]
        phenomenon = phenomenon_by_key.get(benchmark) or blimp_groups().get(paradigm, ("", ""))[0] or "paradigms"
        groups.setdefault(phenomenon, []).append(benchmark)
    values = values_by_benchmark(points)
    body: list[str] = []
    y, bottom = 10.0, 0.0
    for i, (phenomenon, benchmarks) in enumerate(sorted(groups.items())):
        column = i % PANELS_PER_ROW
        if column == 0:
            y = bottom + 10
        left = LEFT + column * (WIDTH + LEFT + 10)
        x_axis = training_axis(points, left, WIDTH)
        y_axis = Axis(0.0, 1.0, y + TOP + HEIGHT, -HEIGHT)
        series = [
            Series(benchmark.rpartition("/")[2], colour, seed_ranges(values[benchmark]))
            for colour, benchmark in enumerate(benchmarks)
        ]
        body += panel(series, x_axis, y_axis, phenomenon.replace("_", " "), factor=100)
        body += legend(series, left, y + TOP + HEIGHT + 34)
        bottom = max(bottom, y + TOP + HEIGHT + 34 + LINE_HEIGHT * len(series) + 10)
    return drawing(body, PANELS_PER_ROW * (WIDTH + LEFT + 10) + 90, bottom, "Learning curves by phenomenon")


def _text_figures(points: Sequence[Point]) -> Iterator[Figure]:
    for metric, description in METRICS.items():
        groups: dict[str, dict[str, list[Point]]] = {}  # by benchmark, and condition and model
        for point in points:
            if point.metric == metric:
                lines = groups.setdefault(point.benchmark, {})
                lines.setdefault(f"{point.condition}, {point.model}", []).append(point)
        for benchmark, lines in groups.items():
            series = [
                Series(name, colour, seed_ranges(values_by_benchmark(line_points)[benchmark]))
                for colour, (name, line_points) in enumerate(lines.items())
            ]
            title = f"{description} {benchmark}"
            drawn = [point for line_points in lines.values() for point in line_points]
            x_axis = training_axis(drawn, LEFT, LENGTH)
            y_axis = axis((point.value for point in drawn), TOP + 220, -220, log=metric == "ppl")
            body = panel(series, x_axis, y_axis, title, title_x=X_TITLE)
            body += legend(series, LEFT + LENGTH + 20, TOP + 10)
            width = LEFT + LENGTH + 50 + 6.6 * max(len(line.name) for line in series)
            svg = drawing(body, width, max(TOP + 270, TOP + 20 + 16 * len(series)), title)
            yield Figure(slug(f"training-{metric}-{benchmark}"), title, svg, titled=True)


SECTIONS = {190: sections}
