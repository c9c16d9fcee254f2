"""Tables of counted matches: aligned text, TSV and JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fictdsl.draw.text import cells, cut, safe

if TYPE_CHECKING:
    from runner.corpus.query.group_counts import GroupCount

_MIN_WIDTH = 5  # columns of a value
_NUMBER = re.compile(r"[+-]?\d[\d,.]*")


def table(keys: Sequence[str], rows: Sequence[GroupCount], limit: int | None, width: int | None) -> Iterator[str]:
    """Yield columns for the keys, the count and the share: `limit` rows, and a last one with the sum of the others."""
    shown_rows = rows if limit is None or len(rows) <= limit + 1 else rows[:limit]
    texts = [[safe(value) for value in row.values] for row in shown_rows]
    counts = [f"{row.matches:,}" for row in shown_rows]
    total = f"{sum(row.matches for row in rows):,}"
    count_width = max(len("matches"), len(total))
    widths = [max(cells(text) for text in column) for column in zip(keys, *texts, strict=True)]
    if width is not None:
        minimums = [_min_width(column) for column in zip(*texts, strict=True)] or [_MIN_WIDTH for _ in keys]
        widths = _fit(widths, minimums, width - count_width - 8 - 2 * len(keys))
    rest = rows[len(shown_rows) :]
    label = f"({len(rest):,} more)" if rest else "(all)"
    widths[-1] += max(0, len(label) - (sum(widths) + 2 * len(widths) - 2))
    left_width = sum(widths) + 2 * len(widths)
    yield _line(keys, widths) + f"{'matches':>{count_width}}"
    for text, count, row in zip(texts, counts, shown_rows, strict=True):
        yield _line(text, widths) + f"{count:>{count_width}}  {row.share:6.1%}"
    if rest:
        matches, share = sum(row.matches for row in rest), sum(row.share for row in rest)
        yield label.ljust(left_width) + f"{matches:>{count_width},}  {share:6.1%}"
    yield "(all)".ljust(left_width) + f"{total:>{count_width}}" + (f"  {1:6.1%}" if rows else "")


def _line(texts: Sequence[str], widths: Sequence[int]) -> str:
    cut_texts = [cut(text, width) for text, width in zip(texts, widths, strict=True)]
    return "".join(text + " " * (width - cells(text) + 2) for text, width in zip(cut_texts, widths, strict=True))


def _min_width(texts: Sequence[str]) -> int:
    """Return the minimum width of a column. Numbers are never cut, since the rest would be another number."""
    return max([_MIN_WIDTH, *(cells(text) for text in texts if _NUMBER.fullmatch(text))])


def _fit(widths: Sequence[int], minimums: Sequence[int], room: int) -> list[int]:
    """Return the widths, the widest reduced, but none below its minimum, until they fit if possible."""
    fitted = list(widths)
    while sum(fitted) > room and (
        wide := [column for column, minimum in enumerate(minimums) if fitted[column] > minimum]
    ):
        fitted[max(wide, key=fitted.__getitem__)] -= 1
    return fitted


def tsv(filter: str, keys: Sequence[str], rows: Sequence[GroupCount]) -> Iterator[str]:  # noqa: A002
    """Yield a header and a row per combination."""
    yield "\t".join(["filter", *keys, "matches", "share"])
    for row in rows:
        yield "\t".join([filter, *row.values, str(row.matches), f"{row.share:.6f}"])


def jsonl(filter: str, keys: Sequence[str], rows: Sequence[GroupCount]) -> Iterator[str]:  # noqa: A002
    """Yield an object per combination."""
    for row in rows:
        values = dict(zip(keys, row.values, strict=True))
        yield json.dumps({"filter": filter, "values": values, "matches": row.matches, "share": row.share})
