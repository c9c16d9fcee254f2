"""`fictc import`: files of CoNLL-U into a corpus store."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Literal

import click

from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.cli.shared.messages import say
from runner.cli.shared.numbers import MOST_PROCESSES, Whole
from runner.cli.shared.progress import Style, progress_bar, progress_option, show_notes


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--output", "-o", required=True, type=click.Path(path_type=Path), metavar="STORE", help="The store to make."
)
@click.option(
    "--on-error",
    type=click.Choice(["stop", "skip"]),
    default="stop",
    show_default=True,
    help="What to do about sentences that are no trees: stop and list them, "
    "or put them into rejected.conllu in the store, each with the reason.",
)
@click.option(
    "--jobs",
    type=Whole(1, MOST_PROCESSES),
    help="Processes to work with; by default one, and for large files one for each processor. The store is the same.",
)
@click.option(
    "--no-text", is_flag=True, help="Leave out forms and texts, for a corpus whose licence forbids to share them."
)
@click.option("--force", is_flag=True, help="Replace the store if it exists.")
@progress_option
def command(
    files: tuple[Path, ...],
    output: Path,
    on_error: Literal["stop", "skip"],
    jobs: int | None,
    *,
    no_text: bool,
    force: bool,
    progress: Style,
) -> None:
    """Make a corpus store from treebanks.

    FILES are files of CoNLL-U (also packed: .gz, .xz, .zip) or folders of them, in the order in which the corpus is
    to have them; - is standard input. Every tree is checked; a sentence with two roots, a cycle, a gap in its numbering
    or the like is an error with its file and line.

    \b
    Example:
      fictc import ud-ewt/*.conllu --output stores/ewt
    """
    from runner.corpus.processes.allocator import keep_freed

    keep_freed()  # before Arrow is loaded
    gc.disable()  # there are no cycles worth the time
    from runner.corpus.conllu.reader import pluralize
    from runner.corpus.ingest.import_conllu import default_jobs, import_files

    notes: list[Diagnostic] = []
    with progress_bar("Importing", progress, unit="bytes") as advance:
        store = import_files(
            files,
            output,
            on_error=on_error,
            force=force,
            jobs=jobs or default_jobs(files),
            text=not no_text,
            progress=advance,
            on_note=notes.append,
        )
    show_notes(notes)
    sentences, words = pluralize(store.info.sentences, "sentence"), pluralize(store.info.words, "word")
    say(f"{output}: {sentences}, {words}, from {pluralize(len(store.info.sources), 'source')}", err=True)
