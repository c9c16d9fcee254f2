"""`fictc count`: the matches of filters in a corpus, by filter and by pair."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import click

from fictdsl.terminal_text import cut, display_width
from fictdsl.words import counted, inflected
from runner.cli import query_options
from runner.cli.options import format_option
from runner.cli.terminal import terminal_width
from runner.corpus.filter_arguments import filter_labels
from runner.tables import aligned

if TYPE_CHECKING:
    from runner.corpus.engine import Tally
    from runner.corpus.store import Store


_DEFAULT_WIDTH = 100  # terminal columns, if the width is unknown
_MAX_LABEL_WIDTH = 32  # terminal columns of a row label in the matrix


@dataclass(frozen=True, slots=True)
class Row:
    """`tokens` are the words of the matching sentences, `targets` the distinct targets of each `count` action."""

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
    labels = [cut(f"{index:>{len(str(len(names)))}} {name}", _MAX_LABEL_WIDTH) for index, name in enumerate(names, 1)]
    shared = tally.sentences_of_pair.copy()
    shared.update({(index, index): tally.sentences[index] for index in range(len(names))})
    values = [
        [f"{shared[column, row]:,}" if column <= row else "" for column in range(len(names))]
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


@click.command(
    name="count",
    help=f"""For each filter, count its matches, the matching sentences and the words of these sentences.

    {query_options.FILTER_HELP}
    {query_options.QUERY_HELP}

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
@query_options.optional_filters
@query_options.corpus_option()
@format_option("table", "json")
@click.option(
    "--overlap",
    is_flag=True,
    help="Also count the sentences that each pair of filters matches, and those that only one filter matches.",
)
@query_options.lists_option
@query_options.limits_options()
@query_options.engine_options
@query_options.takes_query
def command(
    query: query_options.Query, output_format: str, engine: query_options.EngineChoice, *, overlap: bool
) -> None:
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
