"""Counted matches to a table for people, or to TSV and JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fictdsl.draw.text import cells, cut, safe

if TYPE_CHECKING:
    from runner.corpus.query.group_counts import Row

_LEAST = 5  # columns that a value always has
_NUMBER = re.compile(r"[+-]?\d[\d,.]*")


def table(keys: Sequence[str], rows: Sequence[Row], shown: int | None, width: int | None) -> Iterator[str]:
    """Columns for each key, the count and the share; the first `shown` rows, what is left in a last one."""
    first = rows if shown is None or len(rows) <= shown + 1 else rows[:shown]
    texts = [[safe(value) for value in row.values] for row in first]
    counts = [f"{row.matches:,}" for row in first]
    total = f"{sum(row.matches for row in rows):,}"
    number = max(len("matches"), len(total))
    sizes = [max(cells(text) for text in column) for column in zip(keys, *texts, strict=True)]
    if width is not None:
        least = [_least(column) for column in zip(*texts, strict=True)] or [_LEAST for _ in keys]
        sizes = _fitted(sizes, least, width - number - 8 - 2 * len(keys))
    rest = rows[len(first) :]
    label = f"({len(rest):,} more)" if rest else "(all)"
    sizes[-1] += max(0, len(label) - (sum(sizes) + 2 * len(sizes) - 2))
    left = sum(sizes) + 2 * len(sizes)
    yield _line(keys, sizes) + f"{'matches':>{number}}"
    for text, count, row in zip(texts, counts, first, strict=True):
        yield _line(text, sizes) + f"{count:>{number}}  {row.share:6.1%}"
    if rest:
        matches, share = sum(row.matches for row in rest), sum(row.share for row in rest)
        yield label.ljust(left) + f"{matches:>{number},}  {share:6.1%}"
    yield "(all)".ljust(left) + f"{total:>{number}}" + (f"  {1:6.1%}" if rows else "")


def _line(texts: Sequence[str], sizes: Sequence[int]) -> str:
    shown = [cut(text, size) for text, size in zip(texts, sizes, strict=True)]
    return "".join(text + " " * (size - cells(text) + 2) for text, size in zip(shown, sizes, strict=True))


def _least(texts: Sequence[str]) -> int:
    """Return how narrow a column may become: a number is never cut, since what is left of one is another number."""
    return max([_LEAST, *(cells(text) for text in texts if _NUMBER.fullmatch(text))])


def _fitted(sizes: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Return the sizes with the widest made smaller, none below its least, until all fit or none can be."""
    fitted = list(sizes)
    while sum(fitted) > room and (wide := [place for place, low in enumerate(least) if fitted[place] > low]):
        fitted[max(wide, key=fitted.__getitem__)] -= 1
    return fitted


def tsv(filter: str, keys: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:  # noqa: A002
    """A head and a row for each combination."""
    yield "\t".join(["filter", *keys, "matches", "share"])
    for row in rows:
        yield "\t".join([filter, *row.values, str(row.matches), f"{row.share:.6f}"])


def jsonl(filter: str, keys: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:  # noqa: A002
    """An object for each combination."""
    for row in rows:
        values = dict(zip(keys, row.values, strict=True))
        yield json.dumps({"filter": filter, "values": values, "matches": row.matches, "share": row.share})
