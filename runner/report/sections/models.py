"""Paired tests of models and corpora, correlations, and models against each other, pair by pair."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from runner import formatting
from runner.report.charts import Axis, frame, symmetric
from runner.report.figures.scatter import model_scatter
from runner.report.markup import drawing, escaped, line, svg_text, tag, tooltip
from runner.report.section import Figure, Section, slug
from runner.report.statistics import Analysis, Comparison, ProbabilityDelta, probability_name, score_name
from runner.score.inference import pearson
from runner.tables import Cell, Column, Table, saved

# what n of a test within a corpus or a benchmark counts, with the title of its table
UNITS = {
    "benchmarks": "Models within each corpus, over benchmarks",
    "corpora": "Models within each benchmark, over corpora",
}


def format_comparison_value(comparison: Comparison, value: float | None) -> str:
    is_perplexity = comparison.measure.startswith("perplexity")
    return formatting.number(value if value is None or is_perplexity else 100 * value)


def comparison_label(comparison: Comparison, comparisons: Sequence[Comparison]) -> str:
    targeted = comparison.paradigms == "targeted"
    scope = f" of {comparison.paradigms} {'cells' if targeted else 'benchmarks'}" if comparison.suite else ""
    label = f"{comparison.measure}{scope}{', with full' if comparison.with_full else ''}"
    if comparison.within:
        label = f"{comparison.within}{', targeted' if targeted else ''}"
    several_suites = len({other.suite for other in comparisons if other.suite}) > 1
    return f"{comparison.suite}: {label}" if several_suites and comparison.suite else label


def _page_table(
    name: str, title: str, analysis: Analysis, comparisons: Sequence[Comparison], *, folded: bool = True
) -> Table:
    kept = [comparison for comparison in comparisons if comparison.test.n > 1]
    return replace(_comparison_table(name, title, analysis, kept), saved=False, folded=folded)


def _comparison_table(name: str, title: str, analysis: Analysis, comparisons: Sequence[Comparison]) -> Table:
    level = analysis.level
    compares_corpora = any(comparison.model for comparison in comparisons)

    def amount(key: str) -> Callable[[Comparison], Cell]:
        def cell(comparison: Comparison) -> Cell:
            test = comparison.test
            value, *ends = (format_comparison_value(comparison, x) for x in (getattr(test, key), test.low, test.high))
            interval = test.note if test.low is None else f"[{', '.join(ends)}]"
            return Cell(getattr(test, key), text=value, small=interval if key == "difference" else "")

        return cell

    columns = (
        Column("what", "what", "text", lambda row: comparison_label(row, comparisons), css_class="name", saved=False),
        *saved("measure", "suite", cells="paradigms"),
        Column("units", "units", help="what n counts; each unit is a mean", css_class="quiet"),
        *saved("within", baseline="with_full"),
        Column("a", "a", shown=not compares_corpora),
        Column("b", "b", shown=not compares_corpora),
        Column("model", "model", help="of a and b, if they are corpora", shown=compares_corpora),
        Column("n", "n", "count", "test.n"),
        Column("mean_a", "corpus" if compares_corpora else "mean a", "number", amount("mean_a")),
        Column("mean_b", "full" if compares_corpora else "mean b", "number", amount("mean_b")),
        Column(
            *("difference", "a − b", "number", amount("difference")),
            f"with its {level} paired t interval; accuracies in points",
        ),
        *saved(low="test.low", high="test.high"),
        Column("t", "t", "number", "test.t"),
        *saved(df="test.df"),
        Column("p", "p", "p", "test.p", "two-sided paired t test"),
        Column(
            *("holm", "Holm", "p"),
            help="p adjusted over the tests of the same two models, or of a model with full, over the same units",
        ),
        Column("bh", "BH", "p", help="Benjamini-Hochberg, over the same tests"),
        Column("d_z", "d_z", "number", "test.d_z", "mean difference divided by the SD of the differences"),
        *saved(d_pooled="test.d_pooled"),
        Column(
            *("detectable", "detectable", "number", amount("detectable")),
            "smallest difference detected with power 0.8 at 5 %",
        ),
        *saved(note="test.note"),
    )
    return Table(name, title, columns, tuple(comparisons))


def correlations(analysis: Analysis) -> Table:
    columns = (
        Column("x", "x", css_class="name"),
        Column("y", "y"),
        *saved("suite"),
        Column("units", "units", help="what n counts; a unit is a mean over seeds", css_class="quiet"),
        Column("baseline", "with full", "yes", "with_full"),
        Column("models", "models", "list", lambda row: " ".join(row.models)),
        Column("n", "n", "count", "correlation.n"),
        Column(
            *("r", "r", "number", "correlation.r", f"Pearson's r with Fisher's {analysis.level} interval"),
            interval=("low", "high"),
            digits=3,
        ),
        *saved(low="correlation.low", high="correlation.high"),
        Column("p", "p", "p", "correlation.p", "two-sided, t with n − 2 degrees of freedom"),
    )
    return Table("correlations", "Correlations", columns, tuple(analysis.correlations))


def models_section(analysis: Analysis) -> Iterator[Section]:
    intro = (
        "Paired t tests over units that are means over seeds; n is the number of units, not of trained models. Over "
        "corpora, a unit is a corpus, averaged over benchmarks; over benchmarks, a unit is a benchmark, averaged over "
        "corpora. The two weight cells differently and may disagree. Rows with full include the full corpus as a unit, "
        "whose delta is 0 by construction. Accuracies are in percent, their deltas in points."
    )
    within = [each for each in analysis.comparisons if each.within]
    of_corpora = [each for each in within if each.model]
    over = {units: [each for each in within if not each.model and each.units == units] for units in UNITS}
    overall = [each for each in analysis.comparisons if not each.within]
    everything = _comparison_table("comparisons", "Paired tests", analysis, analysis.comparisons)
    tables = (
        _page_table("models", "Models, paired over corpora and over benchmarks", analysis, overall, folded=False),
        correlations(analysis),
        _page_table("against-full", "Each corpus compared with full, over benchmarks", analysis, of_corpora),
        *(_page_table(f"within-{units}", title, analysis, over[units]) for units, title in UNITS.items()),
        replace(everything, shown=False),
    )
    yield Section("models", "Models and corpora compared", intro, (), tables, text_place=2)


SIDE, GAP, LEFT, TOP, BOTTOM = 230, 78, 52, 44, 44
Point = tuple[str, float, float, bool]  # name, a, b, targeted
DeltaPair = tuple[ProbabilityDelta, ProbabilityDelta]


def between_models_section(analysis: Analysis) -> Iterator[Section]:
    figures, tables = [], []
    run, score = analysis.results.run, probability_name(analysis)
    for a, b in combinations(analysis.results.models, 2):
        delta_pairs = _delta_pairs(analysis, a, b)
        if not delta_pairs:
            continue
        title = f"{b} against {a}: PΔ of each paradigm under full, and its change and robustness r where targeted"
        figures.append(Figure(slug(f"paradigms-{a}-{b}"), title, _paradigm_panels(delta_pairs, a, b, score.unit)))
        for first, second in delta_pairs:
            if first.targeted:
                pair_title = f"{first.unit.name} under {first.condition}"
                svg = model_scatter(first, second, score_name(run, [first.unit.suite]).unit)
                name = slug(f"pairs-{first.condition}-{first.unit.suite}-{first.unit.name}-{a}-{b}")
                figures.append(Figure(name, pair_title, svg))
        table = _delta_table(delta_pairs, a, b)
        if table.rows:
            tables.append(table)
    if not figures:
        return
    intro = (
        f"How two models compare, pair by pair and paradigm by paradigm. PΔ is {score.difference}, mean over seeds. "
        "In the figures of single paradigms, each point is a pair: both models (blue), one model (green) or neither "
        "(orange) prefers the good sentence."
    )
    yield Section("between-models", "Models against each other", intro, tuple(figures), tuple(tables))


def _delta_pairs(analysis: Analysis, a: str, b: str) -> list[DeltaPair]:
    second_deltas = {(delta.unit, delta.condition): delta for delta in analysis.probability_deltas if delta.model == b}
    return [
        (delta, second_deltas[delta.unit, delta.condition])
        for delta in analysis.probability_deltas
        if delta.model == a and (delta.unit, delta.condition) in second_deltas
    ]


def _paradigm_panels(delta_pairs: Sequence[DeltaPair], a: str, b: str, score_unit: str) -> str:
    """Draw figure 5: PΔ under full by paradigm, and ΔPΔ and robustness by targeted paradigm and condition."""
    full_points = {first.unit: (first.unit.name, first.full, second.full, False) for first, second in delta_pairs}
    change_points: list[Point] = []
    robustness_points: list[Point] = []
    for first, second in delta_pairs:
        if first.targeted:
            name = f"{first.unit.name}, {first.condition}"
            change_points.append((name, first.difference.delta, second.difference.delta, True))
            if first.robustness is not None and second.robustness is not None:
                robustness_points.append((name, first.robustness, second.robustness, True))
    titles = (f"PΔ full, {score_unit}", f"ΔPΔ, {score_unit}, targeted", "robustness r, targeted")
    body: list[str] = []
    panels: tuple[Sequence[Point], ...] = (list(full_points.values()), change_points, robustness_points)
    for i, (title, points) in enumerate(zip(titles, panels, strict=True)):
        body += _panel(points, title, (a, b), LEFT + i * (SIDE + GAP), is_correlation=i == 2)
    width = LEFT + 3 * (SIDE + GAP) - GAP + 16
    return drawing(body, width, TOP + SIDE + BOTTOM, f"{b} against {a}, paradigm by paradigm")


def _panel(
    points: Sequence[Point], title: str, models: tuple[str, str], left: float, *, is_correlation: bool
) -> list[str]:
    values = [value for point in points for value in point[1:3]]
    if is_correlation:
        low = min(0.0, math.floor(10 * min(values, default=0.0)) / 10)
        x_axis, y_axis = Axis(low, 1.0, left, SIDE), Axis(low, 1.0, TOP + SIDE, -SIDE)
    else:
        x_axis, y_axis = symmetric(values, left, SIDE), symmetric(values, TOP + SIDE, -SIDE)
    r = pearson([point[1] for point in points], [point[2] for point in points])
    body = [
        svg_text(title, left, 14, class_="head"),
        svg_text(f"r {formatting.number(r)}, n {len(points)}", left, 30, class_="small muted"),
    ]
    body += frame(x_axis, y_axis, models[0])
    transform_text = f"translate({left - 36:.1f} {TOP + SIDE / 2:.1f}) rotate(-90)"
    body.append(tag("text", escaped(models[1]), transform=transform_text, class_="small muted middle"))
    body.append(line(x_axis(x_axis.low), y_axis(y_axis.low), x_axis(x_axis.high), y_axis(y_axis.high), "dashed"))
    for name, x, y, targeted in points:
        tip = tooltip(f"{name}\n{models[0]} {formatting.signed(x)}, {models[1]} {formatting.signed(y)}")
        body.append(tag("circle", tip, cx=x_axis(x), cy=y_axis(y), r=4, class_="after" if targeted else "control"))
    return body


def _delta_table(delta_pairs: Sequence[DeltaPair], a: str, b: str) -> Table:
    """Return figure 7 as a table: mean PΔ of both models before and after, and correlations over sentence pairs."""
    columns = (
        *saved(suite=lambda pair: pair[0].unit.suite),
        Column("paradigm", "paradigm", "text", lambda pair: pair[0].unit.name, css_class="name"),
        Column("condition", "condition", "text", lambda pair: pair[0].condition),
        Column("full_a", f"{a} full", "signed", lambda pair: pair[0].full),
        Column("after_a", f"{a} after", "signed", lambda pair: pair[0].under_condition),
        Column("full_b", f"{b} full", "signed", lambda pair: pair[1].full),
        Column("after_b", f"{b} after", "signed", lambda pair: pair[1].under_condition),
        Column("r_full", "r of models, full", "number", lambda pair: pearson(*(each.full_deltas for each in pair))),
        Column(
            *("r_after", "r of models, after", "number"),
            lambda pair: pearson(*(each.condition_deltas for each in pair)),
        ),
        Column("r_a", f"r {a}, full and after", "number", lambda pair: pair[0].robustness),
        Column("r_b", f"r {b}, full and after", "number", lambda pair: pair[1].robustness),
    )
    targeted = tuple(pair for pair in delta_pairs if pair[0].targeted)
    return Table(
        slug(f"models-{a}-{b}"), f"PΔ of {a} and {b} where targeted, and correlations over pairs", columns, targeted
    )


SECTIONS = {50: models_section, 170: between_models_section}
