"""The preferences of models for one of two alternants, and their slopes on covariates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner import formatting
from runner.report.analysis.preferences import MEAN, Outcome, outcomes
from runner.report.analysis.statistics import Analysis
from runner.report.render.dots import ESTIMATE, SEED, Dot, interval_dots
from runner.report.render.figure import Figure
from runner.report.render.names import slug
from runner.report.sections.section import Section
from runner.report.tables.cells import seeds_text
from runner.tables import Cell, Column, Table

ORDER = 35


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield a section with a table of means and slopes, and a figure for each outcome and paradigm."""
    rows = outcomes(analysis.results)
    if not rows:
        return
    level = formatting.percentage(analysis.results.run.report.confidence)
    intro = (
        "The score of the first alternant minus that of the second, in nats, or as the convention normalises it. The "
        "mean shows which alternant a condition prefers. The slope shows how much the difference increases per unit of "
        f"a covariate (least squares). The {level} intervals are over seeds and pairs, as for accuracies; with one "
        "seed, they are over pairs only. The last share counts the pairs whose first alternant has the higher score."
    )
    groups = {(row.suite, row.paradigm, row.measure): list[Outcome]() for row in rows}
    for row in rows:
        groups[row.suite, row.paradigm, row.measure].append(row)
    figures = tuple(_figure(*key, _first_by_cell(group), level) for key, group in groups.items())
    yield Section("preferences", "Preferences between alternants", intro, figures, (_table(rows, level),))


def _first_by_cell(rows: Sequence[Outcome]) -> list[Outcome]:
    """Return the first row of each condition and model. A condition has a row for each of its references."""
    return list({(row.condition, row.model): row for row in reversed(rows)}.values())[::-1]


def _table(outcome_rows: Sequence[Outcome], level: str) -> Table:
    columns = (
        Column("suite", "suite", look="quiet", shown=len({row.suite for row in outcome_rows}) > 1),
        Column("paradigm", "paradigm", shown=len({row.paradigm for row in outcome_rows}) > 1),
        Column("outcome", "outcome", "text", "measure", "mean, or the covariate of a slope"),
        Column("condition", "condition", look="name"),
        Column("model", "model"),
        Column(
            *("value", "value", "signed"),
            lambda row: Cell(row.value.estimate, tip=seeds_text(row.by_seed)),
            f"with its {level} interval over seeds and pairs",
            interval=("low", "high"),
            digits=3,
        ),
        *(Column(name, name, "number", f"value.{name}", shown=False) for name in ("low", "high")),
        Column("p", "p", "p", "value.p", "two-sided test of 0"),
        Column("accuracy", "first higher, %", "percent", "first_share"),
        Column("reference", "baseline", look="wrap"),
        Column(
            *("difference", "difference", "signed", "difference.estimate"),
            f"from the baseline, with its {level} interval",
            interval=("difference_low", "difference_high"),
            digits=3,
        ),
        *(
            Column(f"difference_{name}", f"difference {name}", "number", f"difference.{name}", shown=False)
            for name in ("low", "high")
        ),
        Column("difference_p", "p", "p", "difference.p", "two-sided test of no difference"),
        Column("by_seed", "by seed", "list", lambda row: seeds_text(row.by_seed), shown=False),
        Column("seeds", "seeds", "count", lambda row: row.value.seeds[0]),
        Column("pairs", "pairs", "count", "value.items"),
    )
    return Table("preferences", "Means and slopes", columns, outcome_rows)


def _figure(suite: str, paradigm: str, measure: str, rows: Sequence[Outcome], level: str) -> Figure:
    heading = "Mean difference of scores" if measure == MEAN else f"Slope on {measure}"
    name = suite if paradigm == suite else f"{suite}, {paradigm}"
    dots = [
        Dot(
            *(f"{row.condition}, {row.model}", row.value.estimate, row.value.low, row.value.high),
            *(list(row.by_seed.values()), _tooltip(row, level)),
        )
        for row in rows
    ]
    title = f"{heading}, {name}, with its {level} interval over seeds and pairs"
    file_name = slug(f"preference-{suite}-{paradigm}-{measure}")
    return interval_dots(file_name, title, dots, heading, (ESTIMATE, SEED))


def _tooltip(row: Outcome, level: str) -> str:
    interval = f"{level} [{formatting.number(row.value.low, 3)}, {formatting.number(row.value.high, 3)}]"
    value = f"{formatting.number(row.value.estimate, 3)}, {interval}"
    return f"{row.condition} · {row.model}\n{value}\n{seeds_text(row.by_seed)}"
