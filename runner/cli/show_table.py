"""Counted matches to a table for people, or to TSV and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fictdsl.draw.text import cells, cut, safe

if TYPE_CHECKING:
    from runner.corpus.cluster import Row

_LEAST = 5  # columns that a value always has


def table(keys: Sequence[str], rows: Sequence[Row], shown: int | None, width: int | None) -> Iterator[str]:
    """Columns for each key, the count and the share; the first `shown` rows, what is left in a last one."""
    first = rows if shown is None or len(rows) <= shown + 1 else rows[:shown]
    texts = [[safe(value) for value in row.values] for row in first]
    counts = [f"{row.matches:,}" for row in first]
    total = f"{sum(row.matches for row in rows):,}"
    number = max(len("matches"), len(total))
    sizes = [max(cells(text) for text in column) for column in zip(keys, *texts, strict=True)]
    if width is not None:
        sizes = _fitted(sizes, width - number - 8 - 2 * len(keys))
    yield _line(keys, sizes) + f"{'matches':>{number}}"
    for text, count, row in zip(texts, counts, first, strict=True):
        yield _line(text, sizes) + f"{count:>{number}}  {row.share:6.1%}"
    if rest := rows[len(first) :]:
        matches = sum(row.matches for row in rest)
        label = cut(f"({len(rest):,} more)", sum(sizes) + 2 * len(sizes) - 2)
        share = sum(row.share for row in rest)
        yield label.ljust(sum(sizes) + 2 * len(sizes)) + f"{matches:>{number},}  {share:6.1%}"
    yield "(all)".ljust(sum(sizes) + 2 * len(sizes)) + f"{total:>{number}}" + (f"  {1:6.1%}" if rows else "")


def _line(texts: Sequence[str], sizes: Sequence[int]) -> str:
    shown = [cut(text, size) for text, size in zip(texts, sizes, strict=True)]
    return "".join(text + " " * (size - cells(text) + 2) for text, size in zip(shown, sizes, strict=True))


def _fitted(sizes: Sequence[int], room: int) -> list[int]:
    """The sizes, the widest made smaller until all fit or none can be."""
    fitted = list(sizes)
    while sum(fitted) > room and max(fitted) > _LEAST:
        fitted[fitted.index(max(fitted))] -= 1
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
