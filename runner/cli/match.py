"""`fictc match`: print the sentences of a corpus that filters match."""

from __future__ import annotations

from pathlib import Path

import click

from runner.cli.corpus_options import EngineChoice, corpus_option, engine_options, limits_options
from runner.cli.filter_options import FILTER_HELP, QUERY_HELP, Query, lists_option, required_filters, takes_query
from runner.cli.match_formats import FORMATS, MatchRequest
from runner.cli.options import PATH
from runner.corpus.filter_arguments import filter_labels


@click.command(
    name="match",
    help=f"""Print the sentences of a corpus that a filter matches, in corpus order.

    {FILTER_HELP}
    {QUERY_HELP}

    With several filters, the sentences that any of them matches are printed. The actions of a filter have no effect
    here: a filter that removes sentences and one that keeps them print the same sentences.

    \b
    Examples:
      fictc match filters/passive.fict --corpus stores/ewt --format text | head
      fictc match filters/passive.fict --corpus stores/ewt --format conllu > passives.conllu
      fictc match fict15 --corpus stores/ewt --format tsv > overlaps.tsv
    """,
)
@required_filters
@corpus_option()
@click.option(
    "--format",
    "format_name",
    type=click.Choice(list(FORMATS)),
    default="ids",
    show_default=True,
    help=" ".join(f"{item.name}: {item.help}." for item in FORMATS.values()),
)
@click.option(
    "--output",
    "-o",
    type=PATH,
    help=f"Output file, for {', '.join(item.name for item in FORMATS.values() if item.needs_file)}.",
)
@lists_option
@limits_options()
@engine_options
@takes_query
def command(query: Query, format_name: str, output: Path | None, engine: EngineChoice) -> None:
    output_format = FORMATS[format_name]
    if output_format.needs_file and output is None:
        raise click.UsageError(f"--format {format_name} requires --output FILE")
    if output is not None and not output_format.needs_file:
        raise click.UsageError(f"--format {format_name} is printed; --output is for other formats")
    filters = query.filters()
    store = query.open_corpus(filters)
    with engine.open(store) as query_engine:
        output_format.write(MatchRequest(store, filters, filter_labels(filters), query_engine, output))
