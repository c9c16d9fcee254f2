"""`fictc match`: print the sentences of a corpus that filters match."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

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
from runner.cli.match_formats import FORMATS, MatchRequest
from runner.cli.options import PATH
from runner.corpus.limits import Limits

if TYPE_CHECKING:
    from fictdsl.syntax.word_lists import ListOverrides


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
@click.argument("filter", nargs=-1, required=True, metavar="FILTER...", shell_complete=complete_filters)
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
def command(
    filter: tuple[str, ...],  # noqa: A002
    corpus: tuple[Path, ...],
    format_name: str,
    output: Path | None,
    engine: EngineChoice,
    limits: Limits,
    lists: ListOverrides,
) -> None:
    output_format = FORMATS[format_name]
    if output_format.needs_file and output is None:
        raise click.UsageError(f"--format {format_name} requires --output FILE")
    if output is not None and not output_format.needs_file:
        raise click.UsageError(f"--format {format_name} is printed; --output is for other formats")
    filters = load_filters(filter, lists, allow_queries=True)
    store = open_corpus(corpus, limits)
    note_absent_labels(store, filters)
    with engine.open(store) as query_engine:
        output_format.write(MatchRequest(store, filters, filter_labels(filters), query_engine, output))
