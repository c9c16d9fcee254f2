"""`fictc annotate`: raw text, parsed by Stanza, into a corpus store."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.cli.shared.messages import say
from runner.cli.shared.numbers import MOST_PROCESSES, Whole
from runner.cli.shared.progress import Style, progress_bar, progress_option, show_notes

if TYPE_CHECKING:
    from runner.corpus.text.units import Mode


@click.command("annotate")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--models", required=True, type=click.Path(path_type=Path), metavar="DIR", help="The folder of Stanza models."
)
@click.option("--package", default="default", show_default=True, help="Which package of models in that folder.")
@click.option("--lang", default="en", show_default=True, help="The language, by its code.")
@click.option(
    "--output", "-o", required=True, type=click.Path(path_type=Path), metavar="STORE", help="The store to make."
)
@click.option(
    "--input",
    "mode",
    type=click.Choice(["lines", "sentences", "pretokenized", "text"]),
    default="lines",
    show_default=True,
    help="lines: each line is split into sentences; sentences: each line is one; pretokenized: each line is one, its "
    "words separated by spaces; text: running text, where an empty line ends a paragraph.",
)
@click.option(
    "--text-field", default="text", show_default=True, metavar="NAME", help="Which field of a line of JSON is the text."
)
@click.option("--lines", type=Whole(min=1), help="Only the first so many lines (paragraphs) with text.")
@click.option(
    "--max-tokens",
    type=Whole(min=1),
    default=200,
    show_default=True,
    help="Leave out sentences of more words than this, and list them.",
)
@click.option("--jobs", "-j", type=Whole(1, MOST_PROCESSES), default=1, show_default=True, help="Processes.")
@click.option(
    "--threads",
    type=Whole(1, MOST_PROCESSES),
    help="Threads of each process. [default: OMP_NUM_THREADS, or cores / jobs]",
)
@click.option(
    "--resolve-heads/--no-resolve-heads",
    default=True,
    show_default=True,
    help="Whether Stanza repairs trees in which a word has two subjects or two objects; "
    "it does since version 1.14, and did not when the corpora of earlier studies were parsed.",
)
@click.option(
    "--device",
    default="cpu",
    show_default=True,
    metavar="DEVICE",
    help="cpu; cuda, or cuda:1 for one of several graphics cards; auto: a graphics card if there is one.",
)
@click.option("--force", is_flag=True, help="Start over, and replace the store if it exists.")
@progress_option
def command(
    files: tuple[Path, ...],
    models: Path,
    package: str,
    lang: str,
    output: Path,
    mode: Mode,
    text_field: str,
    lines: int | None,
    max_tokens: int,
    jobs: int,
    threads: int | None,
    *,
    resolve_heads: bool,
    device: str,
    force: bool,
    progress: Style,
) -> None:
    """Parse raw text with Stanza into a corpus store.

    FILES are text files or files of JSON lines (.jsonl), also compressed (.gz), or folders of them. Of a line of JSON,
    one field is the text, and the others become comments of its sentences: `meta.genre` in a filter. Nothing is
    downloaded: the models lie in --models. When the command is interrupted, the same command goes on where it was. The
    text is kept exactly, with the line that each sentence came from.

    \b
    Example:
      fictc annotate wiki.txt --models models/stanza --package ewt --output stores/wiki --jobs 2
    """
    from runner.corpus.annotate.annotate import AnnotateOptions, annotate
    from runner.corpus.annotate.stanza_parser import StanzaFactory, StanzaOptions

    declared = os.environ.get("OMP_NUM_THREADS", "")
    threads = threads or (int(declared) if declared.isdigit() else max(1, len(os.sched_getaffinity(0)) // jobs))
    factory = StanzaFactory(StanzaOptions(models, lang, package, mode, resolve_heads, device), threads)
    notes: list[Diagnostic] = []
    with progress_bar("Parsing", progress, unit="lines") as advance:
        store = annotate(
            files,
            output,
            factory,
            AnnotateOptions(mode, lines, max_tokens, jobs, text_field),
            force=force,
            progress=advance,
            on_note=notes.append,
        )
    show_notes(notes)
    say(f"{output}: {store.info.sentences:,} sentences, {store.info.words:,} words", err=True)
