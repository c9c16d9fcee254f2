"""`fictc annotate`: parse raw text with Stanza into a corpus store."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.words import counted
from runner.cli.messages import print_message
from runner.cli.options import Count, Workers
from runner.cli.progress import Style, progress_bar, progress_option, show_notes
from runner.machine import available_cores

if TYPE_CHECKING:
    from runner.corpus.raw_text import Mode


@click.command("annotate")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--models", required=True, type=click.Path(path_type=Path), metavar="DIR", help="Directory of the Stanza models."
)
@click.option("--package", default="default", show_default=True, help="Package of models in that directory.")
@click.option("--lang", default="en", show_default=True, help="Language code.")
@click.option(
    "--output", "-o", required=True, type=click.Path(path_type=Path), metavar="STORE", help="The store to create."
)
@click.option(
    "--input",
    "mode",
    type=click.Choice(["lines", "sentences", "pretokenized", "text"]),
    default="lines",
    show_default=True,
    help="lines: each line is split into sentences; sentences: each line is one sentence; pretokenized: each line is "
    "one sentence with words separated by spaces; text: running text, in which empty lines separate paragraphs.",
)
@click.option("--text-field", default="text", show_default=True, metavar="NAME", help="JSON field with the text.")
@click.option("--lines", type=Count(1), help="Parse only this many lines (paragraphs) with text.")
@click.option(
    "--max-tokens",
    type=Count(1),
    default=200,
    show_default=True,
    help="Skip and list sentences with more words than this.",
)
@click.option("--jobs", "-j", type=Workers(), default=1, show_default=True, help="Number of processes.")
@click.option(
    "--threads",
    type=Workers(),
    help="Threads per process [default: OMP_NUM_THREADS, or cores / jobs].",
)
@click.option(
    "--resolve-heads/--no-resolve-heads",
    default=True,
    show_default=True,
    help="Whether Stanza repairs trees in which a word has two subjects or two objects, as it does since version 1.14. "
    "The corpora of earlier studies were parsed without repair.",
)
@click.option(
    "--device",
    default="auto",
    show_default=True,
    metavar="DEVICE",
    help="cpu, mps, cuda, cuda:1 for one of several GPUs, or auto for a GPU if there is one.",
)
@click.option("--force", is_flag=True, help="Start over, and replace an existing store.")
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

    FILES are text files, JSON lines (.jsonl) or folders of them; files may be compressed (.gz, .xz). In a JSON line,
    one field is the text, and the other fields become comments of its sentences, for instance `meta.genre` in a filter.
    Nothing is downloaded: the models are read from --models. To resume an interrupted command, run it again. The store
    keeps the text byte for byte, with the line of each sentence.

    \b
    Example:
      fictc annotate wiki.txt --models models/stanza --package ewt --output stores/wiki --jobs 2
    """
    from runner.corpus.annotate import AnnotateOptions, annotate
    from runner.corpus.stanza_parser import StanzaFactory, StanzaOptions, check_models

    threads = threads or _default_threads(jobs)
    stanza = StanzaOptions(models, lang, package, mode, resolve_heads, device)
    check_models(stanza)
    factory = StanzaFactory(stanza, threads)
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
    counts = f"{counted(store.info.sentences, 'sentence')}, {counted(store.info.words, 'word')}"
    print_message(f"{output}: {counts}", err=True)


def _default_threads(jobs: int) -> int:
    """Return OMP_NUM_THREADS if it is a positive integer, else the cores per process."""
    omp_threads = os.environ.get("OMP_NUM_THREADS", "").strip()
    if re.fullmatch(r"[1-9][0-9]{0,3}", omp_threads):
        return int(omp_threads)
    return max(1, available_cores() // jobs)
