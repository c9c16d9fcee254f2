"""The format `tsv`: a tab-separated table with the number of matches of each filter per sentence."""

from __future__ import annotations

import click

from runner.cli.match_formats import MatchRequest

HELP = (
    "a row per matching sentence: its source, its number there, its sent_id, and the number of matches of each filter"
)


def write(request: MatchRequest) -> None:
    from runner.cli.terminal import for_output

    for index, table in enumerate(request.engine.by_sentence(request.filters, request.labels)):
        if not index:
            click.echo("\t".join(map(for_output, table.column_names)))
        for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
            cells = ("" if cell is None else str(cell).replace("\t", " ") for cell in row)
            click.echo("\t".join(map(for_output, cells)))
