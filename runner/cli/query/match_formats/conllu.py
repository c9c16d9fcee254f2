"""The format `conllu`: the trees of the matching sentences."""

from __future__ import annotations

from runner.cli.query.match_formats import Request

HELP = "the trees, byte for byte"


def write(request: Request) -> None:
    """Print the trees of the matching sentences: the bytes of the source, but escaped on a terminal."""
    from runner.cli.shared.binary_output import open_output
    from runner.corpus.sentences.export import write_sentences

    with open_output() as file:
        write_sentences(request.store, "conllu", file, request.sids())
