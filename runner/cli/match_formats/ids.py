"""The format `ids`: one sent_id per line."""

from __future__ import annotations

import click

from runner.cli.match_formats import MatchRequest

HELP = "the sent_id of each sentence, one per line (source:number if it has none)"


def write(request: MatchRequest) -> None:
    from runner.cli.terminal import for_output
    from runner.corpus.sentence_texts import locate

    for location in locate(request.store, request.sids()):
        click.echo(for_output(location.sent_id or f"{location.source}:{location.number}"))
