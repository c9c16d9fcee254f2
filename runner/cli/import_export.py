"""`fictc import`, `annotate`, `index` and `export`: make stores of trees or raw text, and give their text back."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.words import counted
from runner.cli.options import PATH, Count, Workers, check_suffix, format_option, relations
from runner.cli.progress import Style, progress_bar, progress_option, show_notes
from runner.cli.terminal import open_output, print_message, size_of
from runner.corpus.sentence_texts import Format, write_sentences
from runner.corpus.store import Store
from runner.machine import available_cores

if TYPE_CHECKING:
    from runner.corpus.index_build import Estimate
    from runner.corpus.raw_text import Mode


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=PATH)
@click.option("--output", "-o", required=True, type=PATH, metavar="STORE", help="The store to create.")
@click.option(
    "--on-error",
    type=click.Choice(["stop", "skip"]),
    default="stop",
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
    import gc

    from runner.corpus.limits import keep_freed_memory

    keep_freed_memory()  # before Arrow is loaded
    gc.disable()  # an import creates few reference cycles, but searching for them is slow
    from runner.corpus import import_conllu

    notes: list[Diagnostic] = []
    with progress_bar("Importing", progress, unit="bytes") as advance:
        store = import_conllu.import_files(
            files,
            output,
            on_error=on_error,
            force=force,
            jobs=jobs or import_conllu.default_jobs(files),
            text=not no_text,
            progress=advance,
            on_note=notes.append,
        )
    show_notes(notes)
    print_message(f"{output}: {size_of(store.info)}, from {counted(len(store.info.sources), 'source')}", err=True)


@click.command("annotate")
@click.argument("files", nargs=-1, required=True, type=PATH)
@click.option("--models", required=True, type=PATH, metavar="DIR", help="Directory of the Stanza models.")
@click.option("--package", default="default", help="Package of models in that directory.")
@click.option("--lang", default="en", help="Language code.")
@click.option("--output", "-o", required=True, type=PATH, metavar="STORE", help="The store to create.")
@click.option(
    "--input",
    "mode",
    type=click.Choice(["lines", "sentences", "pretokenized", "text"]),
    default="lines",
    help="lines: each line is split into sentences; sentences: each line is one sentence; pretokenized: each line is "
    "one sentence with words separated by spaces; text: running text, in which empty lines separate paragraphs.",
)
@click.option("--text-field", default="text", metavar="NAME", help="JSON field with the text.")
@click.option("--lines", type=Count(1), help="Parse only this many lines (paragraphs) with text.")
@click.option("--max-tokens", type=Count(1), default=200, help="Skip and list sentences with more words than this.")
@click.option("--jobs", "-j", type=Workers(), default=1, help="Number of processes.")
@click.option("--threads", type=Workers(), help="Threads per process [default: OMP_NUM_THREADS, or cores / jobs].")
@click.option(
    "--resolve-heads/--no-resolve-heads",
    default=True,
    help="Whether Stanza repairs trees in which a word has two subjects or two objects, as it does since version 1.14. "
    "The corpora of earlier studies were parsed without repair.",
)
@click.option(
    "--device",
    default="auto",
    metavar="DEVICE",
    help="cpu, mps, cuda, cuda:1 for one of several GPUs, or auto for a GPU if there is one.",
)
@click.option("--force", is_flag=True, help="Start over, and replace an existing store.")
@progress_option
def annotate_texts(
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

    stanza = StanzaOptions(models, lang, package, mode, resolve_heads, device)
    check_models(stanza)
    factory = StanzaFactory(stanza, threads or _default_threads(jobs))
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
    print_message(f"{output}: {size_of(store.info)}", err=True)


def _default_threads(jobs: int) -> int:
    omp_threads = os.environ.get("OMP_NUM_THREADS", "").strip()
    if re.fullmatch(r"[1-9][0-9]{0,3}", omp_threads):
        return int(omp_threads)
    return max(1, available_cores() // jobs)


@click.command("index")
@click.argument("store", type=PATH)
@click.option("--dry-run", is_flag=True, help="Only print the estimated time and size of the index.")
@click.option("--drop", is_flag=True, help="Remove the index.")
@progress_option
@relations("--drop excludes --dry-run")
def index_store(store: Path, *, dry_run: bool, drop: bool, progress: Style) -> None:
    """Create or rebuild the index of a STORE.

    An index is for stores that are queried often, for instance by `fictc show` and editors. Filters that test words,
    lemmas or rare features then read a small part of the index instead of the whole store. The matches are the same.
    The index is in the folder of the store and can be removed at any time.

    \b
    Examples:
      fictc index stores/ewt --dry-run
      fictc index stores/ewt
      fictc index stores/ewt --drop
    """
    from runner.corpus import index_build, store_index

    corpus = Store.open(store)
    if drop:
        outcome = "index removed" if store_index.drop_index(corpus.path) else "no index to remove"
        print_message(f"{store}: {outcome}", err=True)
        return
    print_message(f"{store}: {_cost_summary(index_build.estimate(corpus), corpus.info.words)}", err=True)
    if dry_run:
        return
    with progress_bar("Indexing", progress, unit="rows") as advance:
        index_build.build_index(corpus, advance)
    index = Store.open(store).index
    assert index is not None
    index_size = f"{_format_size(index.size)}, {index.size / corpus.info.words:.1f} bytes per word"
    print_message(f"{store}: indexed, {index_size}", err=True)


def _cost_summary(cost: Estimate, words: int) -> str:
    feature_count = len(cost.rows) - 2  # the others are form and lemma
    sort_keys = ["form", "lemma", *([counted(feature_count, "feature")] if feature_count else [])]
    sort_description = f"the index is sorted by {', by '.join(sort_keys[:-1])} and by {sort_keys[-1]}"
    duration = f"{cost.seconds / 60:.0f} minutes" if cost.seconds >= 90 else f"{max(1, round(cost.seconds))} s"
    size = f"{_format_size(cost.size)} of disk ({cost.size / words:.0f} bytes per word)"
    temporary_size = f"{_format_size(cost.temporary)} more while it is built"
    return f"{sort_description}; building it takes about {duration} on one processor, {size}, and {temporary_size}"


def _format_size(size: float) -> str:
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{size / 1e3:,.1f} kB"


@click.command("export")
@click.argument("store", type=PATH)
@format_option(
    "text",
    "conllu",
    "original",
    help="text: the text of each sentence on a line, as written in the source. conllu: the trees, byte for byte. "
    "original: the text files that were annotated, byte for byte (for stores made by `fictc annotate`).",
)
@click.option("--output", "-o", type=PATH, help="Output file [default: standard output].")
def export_text(store: Path, output_format: Format, output: Path | None) -> None:
    """Export the sentences of a corpus STORE, exactly as imported.

    \b
    Examples:
      fictc export stores/ewt | wc -l
      fictc export stores/ewt --format conllu --output ewt.conllu
    """
    check_suffix(output, output_format, ("conllu",))
    corpus = Store.open(store)
    with open_output(output) as file:
        count = write_sentences(corpus, output_format, file)
    if output is not None:
        unit = "lines or paragraphs" if output_format == "original" else "sentences"
        print_message(f"{output}: {count:,} {unit}", err=True)
