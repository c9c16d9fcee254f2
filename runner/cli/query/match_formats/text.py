"""The format `text`: the text of the matching sentences."""

from __future__ import annotations

from runner.cli.query.match_formats import Request

HELP = "the text of each matching sentence on a line, as written in the source"


def write(request: Request) -> None:
    """Print the matching sentences: the bytes of the source, but escaped on a terminal."""
    from runner.cli.shared.binary_output import open_output
    from runner.corpus.sentences.export import write_sentences

    with open_output() as file:
        write_sentences(request.store, "text", file, request.sids())
