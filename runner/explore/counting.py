"""Count matches by keys, as tables with clauses that select the matches of a row, and rates over a key with a plot."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from markupsafe import Markup

from fictdsl.compiler import CompiledFilter
from fictdsl.schema import DECIMAL, LOWERED, SENTENCE_KEYS, WORD_NUMBERS, WORD_STRINGS
from fictdsl.syntax.nodes import quote
from fictdsl.terminal_text import safe
from runner.corpus.match_groups import ABSENT, UNBOUND, count_groups, words_by_values
from runner.corpus.match_keys import (
    DOCUMENT_PREFIX,
    GENRE,
    ClauseTest,
    Distance,
    EdgeLabel,
    GroupKey,
    Order,
    SentenceAttribute,
    WordAttribute,
    comment_keys_of,
    is_whole,
    parse_group_keys,
    with_clauses,
)
from runner.errors import InputError
from runner.explore.markup import markup
from runner.explore.query import Query, store_of
from runner.tables import csv_text

_BARE = re.compile(r"[A-Za-z0-9_]+")
_LABEL = re.compile(r"[a-z_]+(:[a-z_]+)*")
_BIN = re.compile(r"(-?\d+)\.\.(<?)(-?\d+)")
_ORIGINAL = {column: name for name, column in LOWERED.items()}
_LOWERED = {column: f"lower({name})" for name, column in LOWERED.items()}
_SPECIAL = re.compile(r"[^\w\s]")


def clause_of(
    compiled: CompiledFilter, key: GroupKey, value: str, all_values: AbstractSet[str], *, has_genres: bool
) -> str | None:
    """Return a clause that selects one of the values of a key, or None, for instance if a name may be unbound."""
    is_binned = key.width is not None
    if value == UNBOUND or (is_binned and value == ABSENT) or not _bound_names(compiled) >= set(_names_of_key(key)):
        return None
    match key.value:
        case WordAttribute(attributes=attributes, name=name):
            test = _word_test([_written(attribute) for attribute in attributes], value, all_values, is_binned=is_binned)
            return f"{name}{test}" if test.startswith(":") else f"{name}[{test}]"
        case SentenceAttribute(attribute=attribute):
            return _sentence_clause(attribute, value, is_binned=is_binned, has_genres=has_genres)
        case Order(names=names):
            return " << ".join(value.split()) if len(value.split()) == len(names) else None
        case Distance(first=first, second=second):
            return _distance_clause(first, second, value)
        case EdgeLabel(head=head, dependent=dependent):
            return _edge_clause(head, dependent, value)
        case ClauseTest():
            return _block_clause(compiled, key.text, holds=value == "yes")


def _names_of_key(key: GroupKey) -> Sequence[str]:
    match key.value:
        case WordAttribute(name=name):
            return (name,)
        case Order(names=names):
            return names
        case Distance(first=first, second=second) | EdgeLabel(head=first, dependent=second):
            return (first, second)
    return ()


def _bound_names(compiled: CompiledFilter) -> set[str]:
    readings = [reading.bound for reading in compiled.ir.readings]
    return {name for index, name in enumerate(compiled.names) if all(bound[index] is not None for bound in readings)}


def _written(attribute: str) -> str:
    prefix, separator, key = attribute.partition(".")
    is_quoted = prefix == "misc" and not (_BARE.fullmatch(key) or key.startswith('"'))
    return f"{prefix}{separator}{quote(key)}" if is_quoted else attribute


def _word_test(attributes: Sequence[str], value: str, all_values: AbstractSet[str], *, is_binned: bool) -> str:
    if attributes == ["upos"] and _BARE.fullmatch(value) and value != ABSENT:
        return f":{value}"
    absent = [f"not has {_ORIGINAL.get(attribute, attribute)}" for attribute in attributes]
    may_lack_all = value == ABSENT and not {"form", "form_l"} & set(attributes)
    branches = [", ".join(absent)] if may_lack_all else []
    for index, attribute in enumerate(attributes):
        # the value `_` of a lemma or of MISC may be this character
        if not may_lack_all or _ORIGINAL.get(attribute, attribute) == "lemma" or attribute.startswith("misc."):
            equality = _equality_test(attribute, value, all_values, is_binned=is_binned)
            branches.append(", ".join([*absent[:index], equality]))
    return " or ".join(f"({branch})" for branch in branches) if len(branches) > 1 else branches[0]


def _equality_test(attribute: str, value: str, all_values: AbstractSet[str], *, is_binned: bool) -> str:
    if is_binned:
        return _bin_test(attribute, value)
    expression = _LOWERED.get(attribute, attribute)
    if attribute in WORD_NUMBERS:
        return f"{expression} = {value}"
    if attribute == "deprel":
        return f"deprel == {value if _LABEL.fullmatch(value) else quote(value)}"
    if attribute in (*WORD_STRINGS, *LOWERED.values(), "token", "feats") or attribute.startswith("misc."):
        return f"{expression} = {quote(value)}" if attribute != "upos" else f"upos = {_quoted_value(value)}"
    parts = value.split(",")  # a feature may have several values
    tests = [f"{expression} = {_quoted_value(part)}" for part in parts]
    return ", ".join(
        [*tests, *(f"{expression} != {_quoted_value(part)}" for part in _further_parts(parts, all_values))]
    )


def _further_parts(parts: Sequence[str], values: AbstractSet[str]) -> Iterator[str]:
    """Yield the parts of those values that have all of `parts` and others, without `parts`, in alphabetical order."""
    larger_values = [other for value in values if (other := set(value.split(","))) > set(parts)]
    yield from sorted(set().union(*larger_values) - set(parts))


def _bin_test(attribute: str, value: str) -> str:
    if (bounds := _BIN.fullmatch(value)) is None:
        return f"{attribute} = {_quoted_value(value)}"
    low, excludes_high, high = bounds.groups()
    return f"{attribute} >= {_quoted_value(low)}, {attribute} {'<' if excludes_high else '<='} {_quoted_value(high)}"


def _sentence_clause(attribute: str, value: str, *, is_binned: bool, has_genres: bool) -> str | None:
    if attribute == "source" or attribute.startswith(DOCUMENT_PREFIX) or (attribute == "genre" and has_genres):
        return None
    if attribute == "genre":
        prefix = _SPECIAL.sub(r"\\\g<0>", value)
        return "sentence[not has doc]" if value == ABSENT else f"sentence[doc = /{prefix}([\\-_].*)?/]"
    is_column = attribute in SENTENCE_KEYS
    name = attribute if is_column else f"meta.{attribute if _BARE.fullmatch(attribute) else quote(attribute)}"
    if value == ABSENT:  # a comment may also have this character as its value
        return f"sentence[not has {name}]" if is_column else f'sentence[not has {name} or {name} = "_"]'
    if is_binned:
        return f"sentence[{_bin_test(name, value)}]"
    return f"sentence[{name} = {value if is_whole(SentenceAttribute(attribute)) else quote(value)}]"


def _distance_clause(first: str, second: str, value: str) -> str | None:
    bounds = _BIN.fullmatch(value)
    if bounds is None and not re.fullmatch(r"-?\d+", value):
        return None
    low, high = (int(bounds[1]), int(bounds[3])) if bounds is not None else (int(value), int(value))
    if low > 0:
        return f"{first} <<{{{low}..{high}}} {second}"
    return f"{second} <<{{{-high}..{-low}}} {first}" if high < 0 else None


def _edge_clause(head: str, dependent: str, value: str) -> str | None:
    if value == ABSENT:
        return f"without {{ {head} -> {dependent} }}"
    return f"{head} -[={value}]-> {dependent}" if _LABEL.fullmatch(value) else None


def _block_clause(compiled: CompiledFilter, text: str, *, holds: bool) -> str:
    if not holds:
        return f"without {text}"
    inner_clauses = text.strip()[1:-1].strip()
    return inner_clauses if with_clauses(compiled, text).names == compiled.names else f"without {{ without {text} }}"


def _quoted_value(value: str) -> str:
    return value if _BARE.fullmatch(value) else quote(value)


MAX_ROWS = 200  # rows of the HTML table; the CSV has all


@dataclass(frozen=True)
class CountTable:
    html: str
    csv: str


def count_by(store_index: int, query: Query, keys: str) -> CountTable:
    store, compiled = store_of(store_index), query.filter
    parsed_keys = parse_group_keys(keys, compiled, store)
    group_keys = [key for key in parsed_keys if key.aggregate is None]
    group_titles = [key.text for key in group_keys]
    aggregate_titles = [key.text for key in parsed_keys if key.aggregate is not None]
    counts = count_groups(store, compiled, parsed_keys)
    has_genres = not set(GENRE).isdisjoint(comment_keys_of(store))
    all_values = [{row.values[index] for row in counts} for index in range(len(group_keys))]
    clauses = []  # of the rows that are shown, None if one of the values of a row has no clause
    for row in counts[:MAX_ROWS]:
        parts = [
            clause_of(compiled, key, value, values, has_genres=has_genres)
            for key, value, values in zip(group_keys, row.values, all_values, strict=True)
        ]
        clauses.append("\n".join(filter(None, parts)) if parts and all(parts) else None)
    header = [*group_titles, "matches", "share", "per_million_words", *aggregate_titles]
    lines = (
        [*row.values, row.matches, f"{row.share:.6f}", f"{row.per_million_words:.3f}", *row.aggregates]
        for row in counts
    )
    html = markup("counts", group_titles, aggregate_titles, counts, clauses, store.info.words)
    return CountTable(html, csv_text([header, *lines]))


MAX_SERIES = 7  # lines of a plot, besides the line for all other series
_OTHERS = "(others)"  # title of the line for all other series
_NUMBER = re.compile(DECIMAL)
_DATE = re.compile(r"(\d{4})-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?(?:[T ].*)?")
_AMBIGUOUS = re.compile(r'[\s"]')  # in one of several values

Series = tuple[str, ...] | None  # the values of the keys, or None for all other series


def count_over(store_index: int, query: Query, keys: str, over: str) -> CountTable:
    store, compiled = store_of(store_index), query.filter
    axis = parse_group_keys(over, compiled, store)
    if len(axis) != 1 or axis[0].aggregate is not None or not isinstance(axis[0].value, SentenceAttribute):
        hint = "one key of the sentence is expected: `genre`, `doc`, `length:10`, or a comment such as `year`"
        raise InputError.of("FICT775", key=over, hint=hint)
    group_keys = [] if not keys.strip() else parse_group_keys(keys, compiled, store)
    if any(key.aggregate is not None for key in group_keys):
        hint = "the matches are counted over values, so an aggregate such as `mean(length)` has no place"
        raise InputError.of("FICT775", key=keys, hint=hint)
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
    note = markup("lines", [f"No sentence has a value of {over}."]) if set(words) == {ABSENT} else ""
    csv = csv_text([[*header, "matches", "words", "per_million_words"], *lines])
    return CountTable(note + trend_html(over, keys, rows), csv)


def _series_title(series: Series) -> str:
    if series is None:
        return _OTHERS
    if len(series) == 1:
        return quote(series[0]) if series[0] == _OTHERS else series[0]
    return " ".join(quote(value) if _AMBIGUOUS.search(value) else value for value in series)


def _values_with_series(counts: Counter[tuple[str, Series]], words: dict[str, int]) -> Iterable[tuple[str, Series]]:
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
    if (date := _DATE.fullmatch(value)) is not None:
        return int(date[1]) + (int(date[2]) - 1) / 12 + (int(date[3] or 1) - 1) / 366
    if (bin_match := _BIN.fullmatch(value)) is not None:
        return float(bin_match[1])
    return float(value) if _NUMBER.fullmatch(value) else None


_WIDTH, _HEIGHT, _LEFT, _TOP, _LEGEND_LINE = 720, 260, 60, 34, 15  # px of a plot
_MAX_RATES = 400  # rows of a table of rates


@dataclass(frozen=True)
class Rate:
    value: str
    series: str
    matches: int
    words: int

    @property
    def rate(self) -> float:
        return 1e6 * self.matches / max(1, self.words)


def trend_html(key_title: str, series_title: str, rows: Sequence[Rate]) -> Markup:
    positions = {row.value: x for row in rows if (x := position(row.value)) is not None}
    keys = [key_title, *([series_title] if any(row.series for row in rows) else [])]
    max_rate = max((row.rate for row in rows), default=0.0) or 1.0
    table = markup("rate_table", keys, rows[:_MAX_RATES], max_rate, max(0, len(rows) - _MAX_RATES))
    return (_plot(key_title, rows, positions) if len(positions) > 1 else Markup()) + table


def _plot(key_title: str, rows: Sequence[Rate], positions: dict[str, float]) -> Markup:
    from runner.report.charts import Series, axis, legend, panel
    from runner.report.markup import drawing

    plotted_rows = [row for row in rows if row.value in positions]
    names = list(dict.fromkeys(row.series for row in plotted_rows))
    series = [
        Series(
            name or "matches",
            colour,
            tuple((positions[row.value], row.rate, row.rate, row.rate) for row in plotted_rows if row.series == name),
        )
        for colour, name in enumerate(names)
    ]
    bottom = _TOP + _HEIGHT
    x = axis(positions.values(), _LEFT, _WIDTH - _LEFT - 20)
    y = axis([row.rate for row in plotted_rows], bottom, -_HEIGHT, zero=True)
    body = panel(series, x, y, "", title_x=safe(key_title), title_y="per million words", format_x=_unabbreviated)
    has_series = len(names) > 1
    body += legend(series, _LEFT, bottom + 56) if has_series else []
    height = bottom + 40 + (_LEGEND_LINE * len(names) + 16 if has_series else 0)
    label = f"matches per million words over {safe(key_title)}"
    return markup("plot", Markup(drawing(body, _WIDTH, height, label)))


def _unabbreviated(value: float) -> str:
    return f"{value:.9g}".replace("-", "−")
