"""Tables of counted matches: aligned text, TSV and JSON Lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fictdsl.draw.text import cut, display_width, safe

if TYPE_CHECKING:
    from runner.corpus.query.groups.counts import GroupCount
    from runner.corpus.query.groups.values import GroupKey

_MIN_WIDTH = 5  # of a column of values, in terminal columns
_NUMBER = re.compile(r"[+-]?\d[\d,.]*")


@dataclass(frozen=True, slots=True)
class Columns:
    """The titles of the columns: the group keys and the aggregates."""

    keys: Sequence[str]
    aggregates: Sequence[str] = ()

    @classmethod
    def of(cls, keys: Sequence[GroupKey]) -> Columns:
        """Return the columns of the keys, titled as the keys were written."""
        group_keys = [key.text for key in keys if key.aggregate is None]
        return cls(group_keys, [key.text for key in keys if key.aggregate is not None])


def table(columns: Columns, rows: Sequence[GroupCount], limit: int | None, width: int | None) -> Iterator[str]:
    """Yield the lines of a table. Its columns are the keys, the count, the share and the aggregates.

    At most `limit` rows are shown, or one more if that completes them. Two lines follow: the sum of the other rows, if
    there are any, and the sum of all.
    """
    keys = columns.keys
    shown_rows = rows if limit is None or len(rows) <= limit + 1 else rows[:limit]
    texts = [[safe(value) for value in row.values] for row in shown_rows]
    counts = [f"{row.matches:,}" for row in shown_rows]
    total = f"{sum(row.matches for row in rows):,}"
    count_width = max(len("matches"), len(total))
    aggregates = _aggregates(columns.aggregates, shown_rows)
    if not keys:
        yield from _summary(aggregates, total, count_width)
        return
    widths = [max(display_width(text) for text in column) for column in zip(keys, *texts, strict=True)]
    if width is not None:
        minimums = [_min_width(column) for column in zip(*texts, strict=True)] or [_MIN_WIDTH for _ in keys]
        other_width = count_width + 8 + 2 * len(keys) + sum(map(len, aggregates[0]))
        widths = _fit(widths, minimums, width - other_width)
    remaining_rows = rows[len(shown_rows) :]
    label = f"({len(remaining_rows):,} more)" if remaining_rows else "(all)"
    widths[-1] += max(0, len(label) - (sum(widths) + 2 * len(widths) - 2))
    left_width = sum(widths) + 2 * len(widths)
    yield (_line(keys, widths) + f"{'matches':>{count_width}}{'':8}{aggregates[0]}").rstrip()
    for cells, count, row, summary in zip(texts, counts, shown_rows, aggregates[1:], strict=True):
        yield _line(cells, widths) + f"{count:>{count_width}}  {row.share:6.1%}{summary}"
    if remaining_rows:
        matches, share = sum(row.matches for row in remaining_rows), sum(row.share for row in remaining_rows)
        yield label.ljust(left_width) + f"{matches:>{count_width},}  {share:6.1%}"
    yield "(all)".ljust(left_width) + f"{total:>{count_width}}" + (f"  {1:6.1%}" if rows else "")


def _aggregates(titles: Sequence[str], rows: Sequence[GroupCount]) -> list[str]:
    """Return the aligned aggregates below their titles, one string per line."""
    texts = [["–" if value is None else f"{value:,.2f}" for value in row.aggregates] for row in rows]
    widths = [max(map(len, column)) for column in zip(titles, *texts, strict=True)]
    lines = [titles, *texts]
    return ["".join(f"  {text:>{width}}" for text, width in zip(line, widths, strict=True)) for line in lines]


def _summary(aggregates: Sequence[str], total: str, count_width: int) -> Iterator[str]:
    """Yield the aggregates of all matches."""
    yield f"{'matches':>{count_width}}{aggregates[0]}"
    yield from (f"{total:>{count_width}}{line}" for line in aggregates[1:])


def _line(texts: Sequence[str], widths: Sequence[int]) -> str:
    cut_texts = [cut(text, width) for text, width in zip(texts, widths, strict=True)]
    return "".join(
        text + " " * (width - display_width(text) + 2) for text, width in zip(cut_texts, widths, strict=True)
    )


def _min_width(texts: Sequence[str]) -> int:
    """Return the minimum width of a column. Numbers are never cut, because a cut number would be a wrong number."""
    return max([_MIN_WIDTH, *(display_width(text) for text in texts if _NUMBER.fullmatch(text))])


def _fit(widths: Sequence[int], minimums: Sequence[int], available_width: int) -> list[int]:
    """Reduce the widest columns until all fit in `available_width`. No column becomes narrower than its minimum."""
    fitted = list(widths)
    while sum(fitted) > available_width and (
        reducible := [column for column, minimum in enumerate(minimums) if fitted[column] > minimum]
    ):
        fitted[max(reducible, key=fitted.__getitem__)] -= 1
    return fitted


def tsv(filter: str, columns: Columns, rows: Sequence[GroupCount]) -> Iterator[str]:  # noqa: A002
    """Yield a header and a row per combination of values. A tab in a value becomes a space."""
    yield "\t".join(["filter", *columns.keys, "matches", "share", *columns.aggregates])
    for row in rows:
        numbers = ["_" if value is None else f"{value:.6f}" for value in row.aggregates]
        values = (value.replace("\t", " ") for value in row.values)
        yield "\t".join([filter, *values, str(row.matches), f"{row.share:.6f}", *numbers])


def jsonl(filter: str, columns: Columns, rows: Sequence[GroupCount]) -> Iterator[str]:  # noqa: A002
    """Yield an object per combination of values."""
    for row in rows:
        values = dict(zip(columns.keys, row.values, strict=True))
        entry = {"filter": filter, "values": values, "matches": row.matches, "share": row.share}
        if columns.aggregates:
            entry["aggregates"] = dict(zip(columns.aggregates, row.aggregates, strict=True))
        yield json.dumps(entry)
