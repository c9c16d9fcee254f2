"""The format `conllu`: the trees of the matching sentences."""

from __future__ import annotations

import sys

import click

from runner.cli.query.match_formats import Request

HELP = "the trees, byte for byte"


def write(request: Request) -> None:
    """Print the trees of the matching sentences: the bytes of the source, but escaped on a terminal."""
    from runner.cli.shared.terminal import safe
    from runner.corpus.sentences.export import conllu_blocks, write_sentences

    sids = request.sids()
    if not sys.stdout.isatty():
        write_sentences(request.store, "conllu", sys.stdout.buffer, sids)
        sys.stdout.buffer.flush()
        return
    for block in conllu_blocks(request.store, sids):
        for line in block.split("\n"):
            click.echo("\t".join(safe(column) for column in line.split("\t")))
