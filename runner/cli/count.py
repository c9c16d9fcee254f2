"""`fictc count`: the matches of filters in a corpus, by filter and by pair; tables of matches counted by keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import click

from fictdsl.terminal_text import cut, display_width, safe
from fictdsl.words import counted, inflected
from runner.cli.corpus_options import EngineChoice, corpus_option, engine_options, limits_options
from runner.cli.filter_options import FILTER_HELP, QUERY_HELP, Query, lists_option, optional_filters, takes_query
from runner.cli.options import format_option
from runner.corpus.filter_arguments import filter_labels
from runner.tables import aligned

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
    cells = [["", f"{'matches':>9}", "sentences", " " * 7, f"{'tokens':>10}", " " * 7]]
    for row in rows:
        shares = f"{row.share_of_sentences:.2%}", f"{row.share_of_tokens:.2%}"
        cells.append([row.name, f"{row.matches:,}", f"{row.sentences:,}", shares[0], f"{row.tokens:,}", shares[1]])
    heading, *lines, corpus = aligned(
        [*cells, ["corpus", "", f"{store.info.sentences:,}", "", f"{store.info.words:,}", ""]], range(1, 6)
    )
    yield heading
    for row, line in zip(rows, lines, strict=True):
        yield line
        yield from (f"  {action}: {targets:,} distinct" for action, targets in row.targets.items())
    yield corpus


def overlap_lines(tally: Tally, names: Sequence[str], width: int | None) -> Iterator[str]:
    """Yield the number of sentences that both filters of each pair match, and the number that exactly n filters match.

    The pairs form the lower triangle of a matrix, split into blocks of columns that fit in `width` terminal columns.
    """
    labels = [cut(f"{index:>{len(str(len(names)))}} {name}", _MAX_LABEL_WIDTH) for index, name in enumerate(names, 1)]
    values = [
        [f"{_shared_sentences(tally, row, column):,}" if column <= row else "" for column in range(len(names))]
        for row in range(len(names))
    ]
    label_width = max(map(display_width, labels))
    cell_width = max(len(value) for row in values for value in row)
    columns_per_block = max(1, ((width or _DEFAULT_WIDTH) - label_width) // (cell_width + 2))
    yield "sentences that two filters match"
    for start in range(0, len(names), columns_per_block):
        stop = min(start + columns_per_block, len(names))
        heading = [" " * label_width, *(f"{column + 1:>{cell_width}}" for column in range(start, stop))]
        rows = ([labels[index], *values[index][start:stop]] for index in range(start, len(names)))
        yield from aligned([heading, *rows], range(1, len(heading)))
        yield ""
    for filter_count, sentences in sorted(tally.sentences_by_filter_count.items()):
        matched = "one filter only" if filter_count == 1 else f"{filter_count} filters"
        yield f"{counted(sentences, 'sentence')} {inflected(sentences, 'matches', 'match')} {matched}"


def pairs(tally: Tally, names: Sequence[str]) -> list[dict[str, Any]]:
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


_MIN_WIDTH = 5  # of a column of values, in terminal columns
_NUMBER = re.compile(r"[+-]?\d[\d,.]*")


@dataclass(frozen=True, slots=True)
class Columns:
    """The titles of the columns: the group keys and the aggregates."""

    keys: Sequence[str]
    aggregates: Sequence[str] = ()

    @classmethod
    def of(cls, keys: Sequence[GroupKey]) -> Columns:
        group_keys = [key.text for key in keys if key.aggregate is None]
        return cls(group_keys, [key.text for key in keys if key.aggregate is not None])


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


@click.command(
    name="count",
    help=f"""For each filter, count its matches, the matching sentences and the words of these sentences.

    {FILTER_HELP}
    {QUERY_HELP}

    FILTER defaults to all filters in the current directory.

    The last row is the union: the sentences that any filter matches, each counted once. For each `count …` action of a
    filter, a line gives the number of distinct targets.

    \b
    Examples:
      fictc count filters/passive.fict --corpus stores/ewt
      fictc count fict15 --corpus stores/ewt --overlap
      fictc count 'V:VERB -[nsubj]-> S:NOUN' --corpus en_ewt-ud-test.conllu
    """,
)
@optional_filters
@corpus_option()
@format_option("table", "json")
@click.option(
    "--overlap",
    is_flag=True,
    help="Also count the sentences that each pair of filters matches, and those that only one filter matches.",
)
@lists_option
@limits_options()
@engine_options
@takes_query
def command(query: Query, output_format: str, engine: EngineChoice, *, overlap: bool) -> None:
    from runner.cli.terminal import terminal_width

    filters = query.filters()
    store = query.open_corpus(filters)
    labels = filter_labels(filters)
    with engine.open(store) as query_engine:
        tally = query_engine.tally(filters)
        counts = rows(store, tally, labels, [query_engine.target_counts(compiled) for compiled in filters])
    if output_format == "table":
        lines = [*table(store, counts), *(["", *overlap_lines(tally, labels, terminal_width())] if overlap else [])]
        click.echo("\n".join(lines))
        return
    entries = [
        {**asdict(row), "path": compiled.path and str(compiled.path), "key": compiled.key}
        | ({"lists": {word_list.name: word_list.record for word_list in compiled.lists}} if compiled.lists else {})
        for row, compiled in zip(counts[:-1], filters, strict=True)
    ]
    corpus_record = {"store": store.key, "sentences": store.info.sentences, "tokens": store.info.words}
    output: dict[str, object] = {"corpus": corpus_record, "filters": entries, "union": asdict(counts[-1])}
    if overlap:
        exactly = dict(sorted(tally.sentences_by_filter_count.items()))
        output |= {"exactly": exactly, "pairs": pairs(tally, labels)}
    click.echo(json.dumps(output, indent=2))
