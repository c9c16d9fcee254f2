"""`fictc export`: the text or CoNLL-U of a store, as imported."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.messages import print_message
from runner.cli.options import check_suffix, format_option
from runner.cli.terminal import open_output

if TYPE_CHECKING:
    from runner.corpus.sentence_texts import Format


@click.command("export")
@click.argument("store", type=click.Path(path_type=Path))
@format_option(
    "text",
    "conllu",
    "original",
    help="text: the text of each sentence on a line, as written in the source. conllu: the trees, byte for byte. "
    "original: the text files that were annotated, byte for byte (for stores made by `fictc annotate`).",
)
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Output file [default: standard output].")
def command(store: Path, output_format: Format, output: Path | None) -> None:
    """Export the sentences of a corpus STORE, exactly as imported.

    \b
    Examples:
      fictc export stores/ewt | wc -l
      fictc export stores/ewt --format conllu --output ewt.conllu
    """
    from runner.corpus.sentence_texts import write_sentences
    from runner.corpus.store import Store

    check_suffix(output, output_format, ("conllu",))
    corpus = Store.open(store)
    with open_output(output) as file:
        count = write_sentences(corpus, output_format, file)
    if output is not None:
        unit = "lines or paragraphs" if output_format == "original" else "sentences"
        print_message(f"{output}: {count:,} {unit}", err=True)
