"""The format `text`: the text of the matching sentences."""

from __future__ import annotations

import sys

import click

from runner.cli.query.match_formats import Request

HELP = "the text of each matching sentence on a line, as written in the source"


def write(request: Request) -> None:
    """Print the matching sentences: the bytes of the source, but escaped on a terminal."""
    from runner.cli.shared.terminal import safe
    from runner.corpus.sentences.export import sentence_texts, write_sentences

    sids = request.sids()
    if not sys.stdout.isatty():
        write_sentences(request.store, "text", sys.stdout.buffer, sids)
        sys.stdout.buffer.flush()
        return
    for text in sentence_texts(request.store, sids):
        click.echo(safe(text))
