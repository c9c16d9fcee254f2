"""What filters remove from the corpus, and the benchmarks that they target (table 1 of the FiCT paper)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner.report.analysis.statistics import Analysis, full_condition
from runner.report.render import format as write
from runner.report.results.results import Condition
from runner.report.sections.between_models import numbers
from runner.report.tables.table import Column, Table
from runner.report.views.section import Section
from runner.report.views.views import Cell, Head, View, text, value

COLUMNS = (
    Column("condition", "condition"),
    Column("suite", "suite"),
    Column("paradigm", "paradigm"),
    Column("targeted", "items targeted", "percent", "share of the paradigm's good sentences that the filters match"),
    Column("items", "items with a tree", "count"),
    Column("removed", "sentences removed", "percent", "of the base corpus"),
    Column("tokens", "tokens of full", "percent", "of the training corpus, after sampling to the common size"),
)


def taken_out(analysis: Analysis) -> Section | None:
    """Return one row per condition that removes sentences and paradigm that it targets."""
    conditions = [c for c in analysis.results.conditions if c.kind == "remove" and c.filters]
    if not conditions:
        return None
    rows = tuple(row for condition in conditions for row in _rows(analysis, condition))
    used = [
        i for i, column in enumerate(COLUMNS) if column.kind == "percent" and any(row[i] is not None for row in rows)
    ]
    shares = (Head(f"{COLUMNS[i].title}, %", COLUMNS[i].help) for i in used)
    heads = (Head("condition", number=False), Head("paradigm", number=False), *shares)
    view = View("taken-out", heads, tuple(_cells(row, used) for row in rows))
    intro = (
        "The remaining training corpus without the sentences that a filter matches, and the share of targeted pairs "
        "that the filter matches, for suites with trees. A filter that misses these pairs probably leaves the "
        "construction in the corpus too."
    )
    table = Table("taken-out", "What the filters remove", COLUMNS, rows)
    return Section("taken-out", "What the filters remove", intro, (), (("", view),), (table,))


Row = tuple[str, str, str, float | None, int | None, float | None, float | None]


def _rows(analysis: Analysis, condition: Condition) -> Iterator[Row]:
    full = full_condition(analysis.results)
    removed = condition.removed_sentences / condition.base_sentences if condition.base_sentences else None
    tokens = condition.tokens / full.tokens if full is not None and full.tokens and condition.tokens else None
    for key in sorted(analysis.targets[condition.name]) or [""]:
        suite, _, paradigm = key.rpartition("/")
        matched, items = condition.coverage.get(key, (None, None))
        share = matched / items if matched is not None and items else None
        yield condition.name, suite, paradigm, share, items, removed, tokens


def _cells(row: Row, used: Sequence[int]) -> tuple[Cell, ...]:
    shares = numbers([row[i] for i in used])
    return (text(row[0], "name"), text(row[2]), *(value(write.percent(share, 2), share) for share in shares))
