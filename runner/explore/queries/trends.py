"""Rates of matches by a sentence key, such as a year or a genre, as a plot and a table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.syntax.scan import quote
from runner.corpus.query.groups.counts import ABSENT, count_groups
from runner.corpus.query.groups.keys import parse_group_keys
from runner.corpus.query.groups.totals import words_by_values
from runner.corpus.query.groups.values import GroupKey, SentenceAttribute
from runner.errors import InputError
from runner.explore.queries.counting import CountTable
from runner.explore.queries.query import Query
from runner.explore.queries.settings import store_of
from runner.explore.views.tables import lines_html
from runner.explore.views.trends import Rate, trend_html
from runner.tables import csv_text

MAX_SERIES = 7  # lines of a plot, besides the line for all other series
_OTHERS = "(others)"  # title of the line for all other series
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
_DATE = re.compile(r"(\d{4})-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?(?:[T ].*)?")
_BIN = re.compile(r"(-?\d+)\.\.<?-?\d+")
_AMBIGUOUS = re.compile(r'[\s"]')  # in one of several values

Series = tuple[str, ...] | None  # the values of the keys, or None for all other series


def count_over(store_index: int, query: Query, keys: str, over: str) -> CountTable:
    """Count the matches per million words for each value of the key `over`, and by `keys` if any.

    Raises InputError (FICT775) if `over` is not one sentence key or `keys` has an aggregate, and the errors of
    `parse_group_keys`.
    """
    store, compiled = store_of(store_index), query.filter
    axis = parse_group_keys(over, compiled, store)
    if len(axis) != 1 or axis[0].aggregate is not None or not isinstance(axis[0].value, SentenceAttribute):
        hint = "one key of the sentence is expected: `genre`, `doc`, `length:10`, or a comment such as `year`"
        raise InputError(diagnostic("FICT775", key=over, hint=hint))
    groups = [] if not keys.strip() else parse_group_keys(keys, compiled, store)
    if any(key.aggregate is not None for key in groups):
        hint = "the matches are counted over values, so an aggregate such as `mean(length)` has no place"
        raise InputError(diagnostic("FICT775", key=keys, hint=hint))
    group_keys: list[GroupKey] = list(groups)
    counts: Counter[tuple[str, Series]] = Counter()
    for row in count_groups(store, compiled, [axis[0], *group_keys]):
        counts[row.values[0], row.values[1:]] += row.matches
    words = {value: number for (value,), number in words_by_values(store, axis).items()}
    rows = [
        Rate(value, _series_title(series), counts[value, series], words[value])
        for value, series in _values_with_series(counts, words)
    ]
    header = [over, *([keys] if group_keys else [])]
    lines = [
        [row.value, *([row.series] if group_keys else []), row.matches, row.words, f"{row.rate:.3f}"] for row in rows
    ]
    note = lines_html([f"No sentence has a value of {over}."]) if set(words) == {ABSENT} else ""
    return CountTable(
        note + trend_html(over, keys, rows, position),
        csv_text([[*header, "matches", "words", "per_million_words"], *lines]),
    )


def _series_title(series: Series) -> str:
    """Return the values of a series as a text that no other series has."""
    if series is None:
        return _OTHERS
    if len(series) == 1:
        return quote(series[0]) if series[0] == _OTHERS else series[0]
    return " ".join(quote(value) if _AMBIGUOUS.search(value) else value for value in series)


def _values_with_series(counts: Counter[tuple[str, Series]], words: dict[str, int]) -> Iterable[tuple[str, Series]]:
    """Return all pairs of a value and one of the most frequent series. Add up the other series in `counts`."""
    totals: Counter[Series] = Counter()
    for (_, series), matches in counts.items():
        totals[series] += matches
    shown_series = [series for series, _ in totals.most_common(MAX_SERIES)] or [()]
    if len(totals) > MAX_SERIES:
        for (value, series), matches in list(counts.items()):
            if series not in shown_series:
                counts[value, None] += matches
        shown_series.append(None)
    return [(value, series) for value in sorted(words, key=_sort_key) for series in shown_series]


def _sort_key(value: str) -> tuple[bool, bool, float, str]:
    number = position(value)
    return value == ABSENT, number is None, number or 0.0, value


def position(value: str) -> float | None:
    """Return the value of a number, the start of a bin, or a date as a fractional year. Return None for other texts."""
    if (date := _DATE.fullmatch(value)) is not None:
        return int(date[1]) + (int(date[2]) - 1) / 12 + (int(date[3] or 1) - 1) / 366
    if (bin_match := _BIN.fullmatch(value)) is not None:
        return float(bin_match[1])
    return float(value) if _NUMBER.fullmatch(value) else None
