"""`fictc import`: create a corpus store from CoNLL-U files."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.words import counted
from runner.cli.messages import print_message
from runner.cli.options import Workers
from runner.cli.progress import Style, progress_bar, progress_option, show_notes


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--output", "-o", required=True, type=click.Path(path_type=Path), metavar="STORE", help="The store to create."
)
@click.option(
    "--on-error",
    type=click.Choice(["stop", "skip"]),
    default="stop",
    show_default=True,
    help="For sentences that are not valid trees: stop and list them, or write them to rejected.conllu in the store, "
    "each with the reason.",
)
@click.option(
    "--jobs",
    type=Workers(),
    help="Number of processes [default: one, or one per processor for large files]. It does not change the store.",
)
@click.option("--no-text", is_flag=True, help="Omit forms and texts, for a corpus whose licence forbids sharing them.")
@click.option("--force", is_flag=True, help="Replace an existing store.")
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
    """Import treebanks into a corpus store.

    FILES are CoNLL-U files (also compressed: .gz, .xz, .zip) or folders of them, in the order of the corpus; - is
    standard input. Every tree is validated: two roots, a cycle, a gap in the numbering and similar mistakes are errors
    with their file and line.

    \b
    Example:
      fictc import ud-ewt/*.conllu --output stores/ewt
    """
    from runner.corpus.limits import disable_garbage_collection, keep_freed_memory

    keep_freed_memory()  # before Arrow is loaded
    disable_garbage_collection()
    from runner.corpus.import_conllu import default_jobs, import_files

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
    sentences, words = counted(store.info.sentences, "sentence"), counted(store.info.words, "word")
    print_message(f"{output}: {sentences}, {words}, from {counted(len(store.info.sources), 'source')}", err=True)
