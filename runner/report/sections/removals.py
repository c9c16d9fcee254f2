"""The sentences that filters remove, and the benchmarks that they target (Patil et al. 2024, appendix)."""

from __future__ import annotations

from collections.abc import Iterator

from runner.report.results import Condition
from runner.report.section import Section
from runner.report.sections.corpora import TOKENS_SHARE, share_of_full
from runner.report.statistics import Analysis, full_condition
from runner.tables import Column, Table, Value

ALWAYS_SHOWN = ("condition", "paradigm")
COLUMNS = (
    Column("condition", "condition", look="name"),
    Column("suite", "suite"),
    Column("paradigm", "paradigm"),
    Column(
        "targeted",
        "items targeted, %",
        "percent",
        digits=2,
        help="share of the paradigm's good sentences that the filters match",
    ),
    Column("items", "items with a tree", "count"),
    Column("removed", "sentences removed, %", "percent", digits=2, help="of the base corpus"),
    Column(
        "tokens",
        "tokens of full, %",
        "percent",
        digits=2,
        help=f"of the training corpus, after sampling to the common size; {TOKENS_SHARE}",
    ),
)


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield a section whose table has a row for each condition with removal filters and each of its targets."""
    conditions = [
        condition for condition in analysis.results.conditions if condition.kind == "remove" and condition.filters
    ]
    if not conditions:
        return
    rows = tuple(row for condition in conditions for row in _rows(analysis, condition))
    intro = (
        "The share of the sentences that a filter matches, which were removed, and the size of the training corpus "
        "after sampling, in tokens of the full corpus; corpora of equally many sentences differ in their tokens, so it "
        "may be above 100 %. For suites with trees, also the share of targeted pairs that the filter matches. A filter "
        "that misses these pairs probably leaves the construction in the corpus too."
    )
    table = Table("taken-out", "", COLUMNS, rows).showing(
        lambda column, has_values: column.key in ALWAYS_SHOWN or (column.kind == "percent" and has_values)
    )
    yield Section("taken-out", "What the filters remove", intro, (), (table,))


def _rows(analysis: Analysis, condition: Condition) -> Iterator[dict[str, Value]]:
    full = full_condition(analysis.results)
    removed_share = condition.removed_sentences / condition.base_sentences if condition.base_sentences else None
    token_share = share_of_full(condition, full)
    for key in sorted(analysis.targets[condition.name]) or [""]:
        suite, _, paradigm = key.rpartition("/")
        matched, items = condition.coverage.get(key, (None, None))
        matched_share = matched / items if matched is not None and items else None
        yield {
            "condition": condition.name,
            "suite": suite,
            "paradigm": paradigm,
            "targeted": matched_share,
            "items": items,
            "removed": removed_share,
            "tokens": token_share,
        }


SECTIONS = {230: sections}
