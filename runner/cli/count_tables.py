"""Tables of counted matches: by filter, by pair of filters and by keys, as aligned text, TSV and JSON Lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fictdsl.terminal_text import cut, display_width, safe
from fictdsl.words import counted, inflected

if TYPE_CHECKING:
    from runner.corpus.engine import Tally
    from runner.corpus.match_groups import GroupCount
    from runner.corpus.match_keys import GroupKey
    from runner.corpus.store import Store


_DEFAULT_WIDTH = 100  # terminal columns, if the width is unknown
_MAX_LABEL_WIDTH = 32  # terminal columns of a row label in the matrix


@dataclass(frozen=True, slots=True)
class Row:
    """The counts of one filter, or of the union; `tokens` are the words of the matching sentences.

    `targets` maps each `count` action of the filter, as written, to the number of its distinct targets.
    """

    name: str
    matches: int
    sentences: int
    tokens: int
    share_of_sentences: float
    share_of_tokens: float
    targets: Mapping[str, int] = field(default_factory=dict)


def rows(store: Store, tally: Tally, names: Sequence[str], targets: Sequence[Mapping[str, int]]) -> list[Row]:
    """Return a row per filter, and a last one for their union."""
    totals = max(1, store.info.sentences), max(1, store.info.words)

    def row(name: str, matches: int, sentences: int, words: int, targets: Mapping[str, int]) -> Row:
        return Row(name, matches, sentences, words, sentences / totals[0], words / totals[1], targets)

    filter_rows = [
        row(name, tally.matches[index], tally.sentences[index], tally.words[index], targets[index])
        for index, name in enumerate(names)
    ]
    union = tally.matches.total(), tally.sentences_by_filter_count.total(), tally.words_by_filter_count.total()
    return [*filter_rows, row("union", *union, {})]


def table(store: Store, rows: Sequence[Row]) -> Iterator[str]:
    """Yield a line per row and per `count` action, and one for the corpus."""
    width = max(len("corpus"), *(len(row.name) for row in rows))
    yield f"{'':{width}}  {'matches':>9}  {'sentences':>9}  {'':>7}  {'tokens':>10}  {'':>7}"
    for row in rows:
        yield (
            f"{row.name:{width}}  {row.matches:>9,}  {row.sentences:>9,}  {row.share_of_sentences:>7.2%}"
            f"  {row.tokens:>10,}  {row.share_of_tokens:>7.2%}"
        )
        for action, target_count in row.targets.items():
            yield f"  {action}: {target_count:,} distinct"
    yield f"{'corpus':{width}}  {'':>9}  {store.info.sentences:>9,}  {'':>7}  {store.info.words:>10,}"


def overlap(tally: Tally, names: Sequence[str], width: int | None) -> Iterator[str]:
    """Yield the number of sentences that both filters of each pair match, and the number that exactly n filters match.

    The pairs form the lower triangle of a matrix, split into blocks of columns that fit in `width` terminal columns.
    """
    labels = [cut(f"{index:>{len(str(len(names)))}} {name}", _MAX_LABEL_WIDTH) for index, name in enumerate(names, 1)]
    values = [
        [f"{_shared_sentences(tally, row, column):,}" if column <= row else "" for column in range(len(names))]
        for row in range(len(names))
    ]
    label_width = max(map(display_width, labels))
    cell_width = max(len(value) for row in values for value in row) + 2
    columns_per_block = max(1, ((width or _DEFAULT_WIDTH) - label_width) // cell_width)
    yield "sentences that two filters match"
    for start in range(0, len(names), columns_per_block):
        columns = range(start, min(start + columns_per_block, len(names)))
        yield " " * label_width + "".join(f"{column + 1:>{cell_width}}" for column in columns)
        for index in range(start, len(names)):
            line = labels[index] + " " * (label_width - display_width(labels[index]))
            yield (line + "".join(f"{values[index][column]:>{cell_width}}" for column in columns)).rstrip()
        yield ""
    for filter_count, sentences in sorted(tally.sentences_by_filter_count.items()):
        matched = "one filter only" if filter_count == 1 else f"{filter_count} filters"
        yield f"{counted(sentences, 'sentence')} {inflected(sentences, 'matches', 'match')} {matched}"


def pairs(tally: Tally, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return, for each pair of filters, the number of sentences that both match and the Jaccard index."""
    entries = []
    for second in range(len(names)):
        for first in range(second):
            both = tally.sentences_of_pair[first, second]
            either = tally.sentences[first] + tally.sentences[second] - both
            jaccard = both / either if either else 0.0
            entries.append({"filters": [names[first], names[second]], "sentences": both, "jaccard": jaccard})
    return entries


def _shared_sentences(tally: Tally, first: int, second: int) -> int:
    return (
        tally.sentences[first] if first == second else tally.sentences_of_pair[min(first, second), max(first, second)]
    )


_RATE = "per million"  # words
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


def key_table(
    columns: Columns, rows: Sequence[GroupCount], words: int, limit: int | None, width: int | None
) -> Iterator[str]:
    """Yield the lines of a table: the keys, the count, the share, the rate per million words and the aggregates.

    At most `limit` rows are shown, or one more if that completes them. Two lines follow: the sum of the other rows, if
    there are any, and the sum of all. `words` is the number of words in the store.
    """
    keys = columns.keys
    shown_rows = rows if limit is None or len(rows) <= limit + 1 else rows[:limit]
    texts = [[safe(value) for value in row.values] for row in shown_rows]
    counts = [f"{row.matches:,}" for row in shown_rows]
    all_matches = sum(row.matches for row in rows)
    total, rates = f"{all_matches:,}", [_rate(row.per_million_words) for row in shown_rows]
    total_rate = _rate(1e6 * all_matches / max(1, words))
    rate_width = max(map(len, [_RATE, total_rate, *rates]))
    count_width = max(len("matches"), len(total))
    aggregates = _aggregates(columns.aggregates, shown_rows)
    if not keys:
        yield from _summary(aggregates, total, count_width, total_rate)
        return
    widths = [max(display_width(text) for text in column) for column in zip(keys, *texts, strict=True)]
    if width is not None:
        minimums = [_min_width(column) for column in zip(*texts, strict=True)] or [_MIN_WIDTH for _ in keys]
        other_width = count_width + 8 + rate_width + 2 + 2 * len(keys) + sum(map(len, aggregates[0]))
        widths = _fit(widths, minimums, width - other_width)
    remaining_rows = rows[len(shown_rows) :]
    label = f"({len(remaining_rows):,} more)" if remaining_rows else "(all)"
    widths[-1] += max(0, len(label) - (sum(widths) + 2 * len(widths) - 2))
    left_width = sum(widths) + 2 * len(widths)
    yield (_line(keys, widths) + f"{'matches':>{count_width}}{'':8}  {_RATE:>{rate_width}}{aggregates[0]}").rstrip()
    for cells, count, row, rate, summary in zip(texts, counts, shown_rows, rates, aggregates[1:], strict=True):
        yield _line(cells, widths) + f"{count:>{count_width}}  {row.share:6.1%}  {rate:>{rate_width}}{summary}"
    if remaining_rows:
        matches, share = sum(row.matches for row in remaining_rows), sum(row.share for row in remaining_rows)
        yield label.ljust(left_width) + f"{matches:>{count_width},}  {share:6.1%}"
    yield (
        "(all)".ljust(left_width)
        + f"{total:>{count_width}}"
        + (f"  {1:6.1%}  {total_rate:>{rate_width}}" if rows else "")
    )


def _rate(rate: float) -> str:
    return f"{rate:,.1f}"


def _aggregates(titles: Sequence[str], rows: Sequence[GroupCount]) -> list[str]:
    """Return the aligned aggregates below their titles, one string per line."""
    texts = [["–" if value is None else f"{value:,.2f}" for value in row.aggregates] for row in rows]
    widths = [max(map(len, column)) for column in zip(titles, *texts, strict=True)]
    lines = [titles, *texts]
    return ["".join(f"  {text:>{width}}" for text, width in zip(line, widths, strict=True)) for line in lines]


def _summary(aggregates: Sequence[str], total: str, count_width: int, rate: str) -> Iterator[str]:
    width = max(len(_RATE), len(rate))
    yield f"{'matches':>{count_width}}  {_RATE:>{width}}{aggregates[0]}"
    yield from (f"{total:>{count_width}}  {rate:>{width}}{line}" for line in aggregates[1:])


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
    yield "\t".join(["filter", *columns.keys, "matches", "share", "per_million_words", *columns.aggregates])
    for row in rows:
        numbers = ["_" if value is None else f"{value:.6f}" for value in row.aggregates]
        values = (value.replace("\t", " ") for value in row.values)
        yield "\t".join(
            [filter, *values, str(row.matches), f"{row.share:.6f}", f"{row.per_million_words:.3f}", *numbers]
        )


def jsonl(filter: str, columns: Columns, rows: Sequence[GroupCount]) -> Iterator[str]:  # noqa: A002
    for row in rows:
        values = dict(zip(columns.keys, row.values, strict=True))
        entry = {"filter": filter, "values": values, "matches": row.matches, "share": row.share}
        entry["per_million_words"] = row.per_million_words
        if columns.aggregates:
            entry["aggregates"] = dict(zip(columns.aggregates, row.aggregates, strict=True))
        yield json.dumps(entry)


def word_list(
    command: str, store: Store, columns: Columns, rows: Sequence[GroupCount], limit: int | None
) -> Iterator[str]:
    """Yield the lines of a word list: its source in comments, then the values, most frequent first.

    A row of several keys is a row of the list. Rows with a value that is absent or unbound are left out.
    """
    from runner.corpus.match_groups import ABSENT, UNBOUND

    present = [row for row in rows if not {ABSENT, UNBOUND} & set(row.values)]
    listed, sources = present[:limit], [source.label for source in store.info.sources]
    yield f"# fictc show {' '.join(command.split())} --format list"
    more_sources = f" and {len(sources) - 3} more" if len(sources) > 3 else ""
    yield f"# of {counted(store.info.sentences, 'sentence')} in {', '.join(sources[:3])}{more_sources}"
    chosen = f"{len(listed)} of " if len(listed) < len(present) else ""
    amount = f"{chosen}{counted(len(present), 'value')} of {', '.join(columns.keys)}"
    yield f"# {amount} in {counted(sum(row.matches for row in rows), 'match', 'matches')}, most frequent first"
    for row in listed:
        entry = "\t".join(" ".join(value.split()) for value in row.values)
        yield f"\\{entry}" if entry.startswith("#") else entry
