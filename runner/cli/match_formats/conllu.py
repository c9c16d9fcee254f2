"""The format `conllu`: the trees of the matching sentences."""

from __future__ import annotations

from runner.cli.match_formats import MatchRequest

HELP = "the trees, byte for byte"


def write(request: MatchRequest) -> None:
    """Print the trees of the matching sentences: the bytes of the source, but escaped on a terminal."""
    from runner.cli.terminal import open_output
    from runner.corpus.sentence_texts import write_sentences

    with open_output() as file:
        write_sentences(request.store, "conllu", file, request.sids())
