"""The format `text`: the text of the matching sentences."""

from __future__ import annotations

from runner.cli.match_formats import MatchRequest

HELP = "the text of each matching sentence on a line, as written in the source"


def write(request: MatchRequest) -> None:
    """Print the matching sentences: the bytes of the source, but escaped on a terminal."""
    from runner.cli.terminal import open_output
    from runner.corpus.sentence_texts import write_sentences

    with open_output() as file:
        write_sentences(request.store, "text", file, request.sids())
