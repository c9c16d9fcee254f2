"""`fictc export`: a store into text or CoNLL-U, as it came in."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.shared.messages import say

if TYPE_CHECKING:
    from runner.corpus.sentences.export import Format


@click.command("export")
@click.argument("store", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "kind",
    type=click.Choice(["text", "conllu", "original"]),
    default="text",
    show_default=True,
    help="text: one sentence a line, spelt as in the source. conllu: the trees, byte for byte. "
    "original: the text files that were parsed, byte for byte (stores made by `fictc annotate`).",
)
@click.option("--output", "-o", type=click.Path(path_type=Path), help="The file to write; without it, standard output.")
def command(store: Path, kind: Format, output: Path | None) -> None:
    """Write the sentences of a corpus STORE, exactly as they came in.

    \b
    Examples:
      fictc export stores/ewt | wc -l
      fictc export stores/ewt --format conllu --output ewt.conllu
    """
    from runner.corpus.sentences.export import write_sentences
    from runner.corpus.store.opening import Store
    from runner.workspace import atomic_write

    opened = Store.open(store)
    if output is None:
        write_sentences(opened, kind, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    with atomic_write(output) as temp, temp.open("wb") as file:
        count = write_sentences(opened, kind, file)
    say(f"{output}: {count:,} {'units of text' if kind == 'original' else 'sentences'}", err=True)
