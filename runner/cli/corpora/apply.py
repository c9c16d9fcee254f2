"""`fictc apply`: a corpus as the actions of filters leave it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.corpora.apply_drop import each_alone, leave_together
from runner.cli.corpora.apply_tally import Tally, texts
from runner.cli.shared.complete import filters
from runner.cli.shared.filters import HELP, corpus_option, labels, load_filters, note_missing_features
from runner.cli.shared.limits import limits_options
from runner.cli.shared.lists import lists_option
from runner.corpus.store.limits import Limits

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from fictdsl.syntax.parsing.word_lists import ListOverrides
    from runner.corpus.actions.edit import Edited
    from runner.corpus.store.opening import Store


@click.command(
    name="apply",
    help=f"""Write a corpus as the actions of filters leave it: sentences dropped, words removed or masked.

    {HELP}

    Without FILTER, all filters of the current folder.

    What several filters take is united. A sentence in which nothing changes is written as it came in, byte for byte;
    one that is removed, or has no word left, is left out. A table on standard error says what each action took.

    With --each, every filter leaves a corpus of its own, FOLDER/NAME.txt; the text is read once for all of them.

    \b
    Examples:
      fictc apply filters/pp.fict --corpus stores/ewt --output without-pp.txt
      fictc apply fict15 --corpus stores/ewt --each --output corpora
      fictc apply filters/pp.fict filters/relative.fict --corpus stores/ewt --dry-run
    """,
)
@click.argument("filter", nargs=-1, metavar="[FILTER]...", shell_complete=filters)
@corpus_option()
@click.option(
    "--format",
    "kind",
    type=click.Choice(["text", "conllu", "jsonl"]),
    default="text",
    show_default=True,
    help="text: one sentence a line. conllu: the trees, byte for byte, where filters take "
    "whole sentences only. jsonl: every sentence as one JSON object a line, with its source, its number "
    "there, sent_id, text (null if it is left out), and what each filter took from it.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    help="The file to write (with --each, the folder); without it, standard output.",
)
@click.option(
    "--each", is_flag=True, help="Write one corpus for each filter, not one that lacks what any filter takes."
)
@lists_option
@limits_options()
@click.option("--dry-run", is_flag=True, help="Write nothing but the table.")
def command(  # the metavar of its help
    filter: tuple[str, ...],  # noqa: A002
    corpus: Path,
    kind: str,
    output: Path | None,
    limits: Limits,
    lists: ListOverrides,
    *,
    each: bool,
    dry_run: bool,
) -> None:
    """See the help above."""
    from runner.corpus.actions.drop_sentences import takes_sentences
    from runner.corpus.store.opening import Store

    filters = load_filters(filter or (".",), lists)
    whole = all(takes_sentences(compiled) for compiled in filters)
    _check(filters, kind, output, each=each, dry_run=dry_run)
    store = Store.open(corpus, limits)
    note_missing_features(store, filters)
    if each and output is not None:
        each_alone(store, filters, kind, output)
    elif whole and kind != "jsonl" and (output is not None or not sys.stdout.isatty()) and not dry_run:
        leave_together(store, filters, kind, output)
    else:
        _sentence_by_sentence(store, filters, kind, output, dry_run=dry_run)


def _check(filters: Sequence[CompiledFilter], kind: str, output: Path | None, *, each: bool, dry_run: bool) -> None:
    """Refuse options that contradict each other, or the filters."""
    from runner.corpus.actions.drop_sentences import takes_sentences

    if each and (output is None or dry_run or kind == "jsonl"):
        raise click.UsageError("--each writes files of text or conllu into a folder: it takes --output FOLDER")
    words = [compiled.name for compiled in filters if not takes_sentences(compiled)]
    if kind == "conllu" and words:
        raise click.UsageError(
            f"{words[0]} takes words out of sentences, so no tree is left of them: use --format text"
        )


def _sentence_by_sentence(
    store: Store, filters: Sequence[CompiledFilter], kind: str, output: Path | None, *, dry_run: bool
) -> None:
    from runner.corpus.actions.edit import edited
    from runner.workspace import atomic_write

    tally = Tally(filters)
    sentences = tally.watch(edited(store, filters))
    lines = _objects(store, filters, sentences) if kind == "jsonl" else texts(sentences)
    if dry_run:
        for _ in lines:
            pass
    elif output is not None:
        with atomic_write(output) as temp, temp.open("wb") as file:
            file.writelines(line.encode() + b"\n" for line in lines)
    else:
        _print(lines)
    tally.print()


def _print(lines: Iterator[str]) -> None:
    from runner.cli.shared.terminal import safe

    if sys.stdout.isatty():
        for line in lines:
            click.echo(safe(line))
        return
    sys.stdout.buffer.writelines(line.encode() + b"\n" for line in lines)
    sys.stdout.buffer.flush()


def _objects(store: Store, filters: Sequence[CompiledFilter], sentences: Iterator[Edited]) -> Iterator[str]:
    import numpy as np

    from runner.corpus.sentences.lookup import locate

    names = labels(filters)
    for place, sentence in zip(locate(store, np.arange(store.info.sentences)), sentences, strict=True):
        entry = {
            "source": place.source,
            "number": place.number,
            "sent_id": place.sent_id,
            "text": sentence.text,
            "taken": [
                {
                    "filter": names[taken.filter],
                    "action": filters[taken.filter].actions[taken.action],
                    "targets": taken.targets,
                    "words": taken.words,
                }
                for taken in sentence.taken
            ],
        }
        yield json.dumps(entry, ensure_ascii=False)
