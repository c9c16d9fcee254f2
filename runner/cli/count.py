"""`fictc count`: count the matches of filters in a corpus."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from fictdsl.syntax.word_lists import ListOverrides
from runner.cli.corpus_options import EngineChoice, corpus_option, engine_options, limits_options, open_corpus
from runner.cli.filter_options import (
    FILTER_HELP,
    QUERY_HELP,
    complete_filters,
    filter_labels,
    lists_option,
    load_filters,
    note_absent_labels,
)
from runner.cli.options import format_option
from runner.corpus.limits import Limits


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
@click.argument("filter", nargs=-1, metavar="[FILTER]...", shell_complete=complete_filters)
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
def command(
    filter: tuple[str, ...],  # noqa: A002
    corpus: tuple[Path, ...],
    output_format: str,
    engine: EngineChoice,
    limits: Limits,
    lists: ListOverrides,
    *,
    overlap: bool,
) -> None:
    """Count the matches of filters in a corpus."""
    from runner.cli import count_tables as formats
    from runner.cli.terminal import terminal_width

    filters = load_filters(filter or (".",), lists, allow_queries=True)
    store = open_corpus(corpus, limits)
    note_absent_labels(store, filters)
    labels = filter_labels(filters)
    with engine.open(store) as query_engine:
        tally = query_engine.tally(filters)
        rows = formats.rows(store, tally, labels, [query_engine.target_counts(compiled) for compiled in filters])
    if output_format == "table":
        lines = [
            *formats.table(store, rows),
            *(["", *formats.overlap(tally, labels, terminal_width())] if overlap else []),
        ]
        click.echo("\n".join(lines))
        return
    entries = [
        {**asdict(row), "path": compiled.path and str(compiled.path), "key": compiled.key}
        | ({"lists": {word_list.name: word_list.record for word_list in compiled.lists}} if compiled.lists else {})
        for row, compiled in zip(rows[:-1], filters, strict=True)
    ]
    corpus_record = {"store": store.key, "sentences": store.info.sentences, "tokens": store.info.words}
    output: dict[str, object] = {"corpus": corpus_record, "filters": entries, "union": asdict(rows[-1])}
    if overlap:
        output |= {
            "exactly": dict(sorted(tally.sentences_by_filter_count.items())),
            "pairs": formats.pairs(tally, labels),
        }
    click.echo(json.dumps(output, indent=2))
