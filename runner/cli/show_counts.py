"""The tables of `fictc show --by`: matches counted by keys, for reading, and as TSV, JSON or a word list."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fictdsl.draw.terminal import Piece
from fictdsl.terminal_text import cut, display_width, safe
from fictdsl.words import counted
from runner.cli.show_changes import DEFAULT_ROWS, ShowRequest
from runner.tables import aligned

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.corpus.match_groups import GroupCount
    from runner.corpus.store import Store


def table_lines(store: Store, filters: Sequence[CompiledFilter], request: ShowRequest) -> Iterator[str]:
    from runner.corpus import match_groups, match_keys

    for index, compiled in enumerate(filters):
        keys = match_keys.parse_group_keys(request.by or "", compiled, store)
        columns = Columns(
            [key.text for key in keys if key.aggregate is None], [key.text for key in keys if key.aggregate is not None]
        )
        rows = match_groups.count_groups(store, compiled, keys)
        match request.output_format:
            case "tsv":
                lines = list(_tsv(compiled.name, columns, rows[: request.limit]))
                yield from lines[1:] if index else lines
            case "jsonl":
                yield from _jsonl(compiled.name, columns, rows[: request.limit])
            case "list":
                yield from _word_list(store, columns, rows, request)
            case _:
                if len(filters) > 1:
                    yield request.paint((Piece(compiled.name, "bound"),))
                limit = request.limit or DEFAULT_ROWS
                yield from key_table(columns, rows, store.info.words, limit, request.width)


_MIN_WIDTH = 5  # of a column of values, in terminal columns
_NUMBER = re.compile(r"[+-]?\d[\d,.]*")


@dataclass(frozen=True, slots=True)
class Columns:
    """The titles of the columns: the group keys and the aggregates."""

    keys: Sequence[str]
    aggregates: Sequence[str] = ()


def key_table(
    columns: Columns, rows: Sequence[GroupCount], words: int, limit: int | None, width: int | None
) -> Iterator[str]:
    """Yield the lines of a table: the keys, the count, the share, the rate per million words and the aggregates.

    At most `limit` rows are shown, or one more if that completes them. Two lines follow: the sum of the other rows, if
    there are any, and the sum of all. `words` is the number of words in the store.
    """
    shown_rows = rows if limit is None or len(rows) <= limit + 1 else rows[:limit]
    other_rows = rows[len(shown_rows) :]
    matches = sum(row.matches for row in rows)
    total, rate = f"{matches:,}", f"{1e6 * matches / max(1, words):,.1f}"
    aggregates = [["–" if value is None else f"{value:,.2f}" for value in row.aggregates] for row in shown_rows]
    if not columns.keys:
        heading = ["matches", "per million", *columns.aggregates]
        yield from aligned([heading, *([total, rate, *each] for each in aggregates)], range(len(heading)))
        return
    heading = ["matches", " " * 6, "per million", *columns.aggregates]
    numbers = [
        [f"{row.matches:,}", f"{row.share:.1%}", f"{row.per_million_words:,.1f}", *each]
        for row, each in zip(shown_rows, aggregates, strict=True)
    ]
    labels, blank = [], [""] * len(columns.aggregates)
    if other_rows:
        labels.append(f"({len(other_rows):,} more)")
        others = sum(row.matches for row in other_rows), sum(row.share for row in other_rows)
        numbers.append([f"{others[0]:,}", f"{others[1]:.1%}", "", *blank])
    numbers.append([total, f"{1:.1%}" if rows else "", rate if rows else "", *blank])
    right = aligned([heading, *numbers], range(len(heading)))
    labels.append("(all)")
    left = _key_lines(columns.keys, shown_rows, len(labels[0]), None if width is None else width - max(map(len, right)))
    yield from aligned(list(zip([*left, *labels], right, strict=True)), ())


def _key_lines(keys: Sequence[str], rows: Sequence[GroupCount], min_width: int, width: int | None) -> list[str]:
    """Return the titles and values of the keys, cut to fit in `width` terminal columns, but for `min_width`."""
    texts = [[safe(value) for value in row.values] for row in rows]
    widths = [max(map(display_width, column)) for column in zip(keys, *texts, strict=True)]
    if width is not None:
        minimums = [_min_width(column) for column in zip(*texts, strict=True)] or [_MIN_WIDTH for _ in keys]
        widths = _fit(widths, minimums, width - 2 * len(keys))
    widths[-1] += max(0, min_width - (sum(widths) + 2 * len(widths) - 2))
    return aligned([list(map(cut, row, widths)) for row in (keys, *texts)], ())


def _min_width(texts: Sequence[str]) -> int:
    """Return the minimum width of a column. Numbers are never cut, because a cut number would be a wrong number."""
    return max([_MIN_WIDTH, *(display_width(text) for text in texts if _NUMBER.fullmatch(text))])


def _fit(widths: Sequence[int], minimums: Sequence[int], available_width: int) -> list[int]:
    fitted = list(widths)
    while sum(fitted) > available_width and (
        reducible := [column for column, minimum in enumerate(minimums) if fitted[column] > minimum]
    ):
        fitted[max(reducible, key=fitted.__getitem__)] -= 1
    return fitted


def _tsv(filter: str, columns: Columns, rows: Sequence[GroupCount]) -> Iterator[str]:  # noqa: A002
    yield "\t".join(["filter", *columns.keys, "matches", "share", "per_million_words", *columns.aggregates])
    for row in rows:
        numbers = ["_" if value is None else f"{value:.6f}" for value in row.aggregates]
        values = (value.replace("\t", " ") for value in row.values)
        yield "\t".join(
            [filter, *values, str(row.matches), f"{row.share:.6f}", f"{row.per_million_words:.3f}", *numbers]
        )


def _jsonl(filter: str, columns: Columns, rows: Sequence[GroupCount]) -> Iterator[str]:  # noqa: A002
    for row in rows:
        values = dict(zip(columns.keys, row.values, strict=True))
        entry = {"filter": filter, "values": values, "matches": row.matches, "share": row.share}
        entry["per_million_words"] = row.per_million_words
        if columns.aggregates:
            entry["aggregates"] = dict(zip(columns.aggregates, row.aggregates, strict=True))
        yield json.dumps(entry)


def _word_list(store: Store, columns: Columns, rows: Sequence[GroupCount], request: ShowRequest) -> Iterator[str]:
    """Yield the source in comments, then the rows without absent or unbound values, most frequent first."""
    from runner.corpus.match_groups import ABSENT, UNBOUND

    present = [row for row in rows if not {ABSENT, UNBOUND} & set(row.values)]
    listed, sources = present[: request.limit], [source.label for source in store.info.sources]
    yield f"# fictc show {' '.join(request.command.split())} --format list"
    more_sources = f" and {len(sources) - 3} more" if len(sources) > 3 else ""
    yield f"# of {counted(store.info.sentences, 'sentence')} in {', '.join(sources[:3])}{more_sources}"
    chosen = f"{len(listed)} of " if len(listed) < len(present) else ""
    amount = f"{chosen}{counted(len(present), 'value')} of {', '.join(columns.keys)}"
    yield f"# {amount} in {counted(sum(row.matches for row in rows), 'match', 'matches')}, most frequent first"
    for row in listed:
        entry = "\t".join(" ".join(value.split()) for value in row.values)
        yield f"\\{entry}" if entry.startswith("#") else entry
