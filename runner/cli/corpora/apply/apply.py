"""`fictc apply`: apply the actions of filters to a corpus."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.corpora.apply.drop import write_combined, write_separately
from runner.cli.corpora.apply.rewrites import apply_rewrites
from runner.cli.corpora.apply.tally import ActionCounts, kept_texts
from runner.cli.options.corpora import corpus_option, open_corpus
from runner.cli.options.format import check_suffix, format_option
from runner.cli.options.limits import limits_options
from runner.cli.options.lists import lists_option
from runner.cli.options.numbers import SEED
from runner.cli.options.relations import option
from runner.cli.shared.binary_output import open_output
from runner.cli.shared.complete import complete_filters
from runner.cli.shared.filters import (
    FILTER_HELP,
    filter_labels,
    load_filters,
    load_filters_and_matches,
    load_rewrites,
    note_absent_labels,
)
from runner.corpus.store.limits import Limits

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter, CompiledRewrite
    from fictdsl.syntax.word_lists import ListOverrides
    from runner.corpus.actions.edit import EditedSentence
    from runner.corpus.store.opening import Store


@click.command(
    name="apply",
    help=f"""Apply filters or rewrites to a corpus: drop sentences, remove, mask or rearrange words.

    {FILTER_HELP}

    FILTER defaults to all filters or rewrites in the current directory.

    The targets of several filters are combined. An unchanged sentence is written byte for byte; a sentence that
    has no words left is omitted. A table on standard error shows the sentences, targets and words of each action.

    Rewrites are applied together, in their order, to the sentences as they are in the store. The table counts their
    matches as taken, overlapping with another match, or invalid because an action cannot be carried out.

    With --each, a separate corpus FOLDER/NAME.txt is written for each filter, in one pass over the text.

    \b
    Examples:
      fictc apply filters/pp.fict --corpus stores/ewt --output without-pp.txt
      fictc apply fict15 --corpus stores/ewt --each --output corpora
      fictc apply filters/pp.fict filters/relative.fict --corpus stores/ewt --dry-run
      fictc apply rewrites/short-first.fict --corpus stores/ewt --format conllu --output short-first.conllu
    """,
)
@click.argument("filter", nargs=-1, metavar="[FILTER]...", shell_complete=complete_filters)
@corpus_option()
@format_option(
    "text",
    "conllu",
    "jsonl",
    help="text: one sentence per line. conllu: the trees, byte for byte unless a rewrite changes them; filters may "
    "only drop whole sentences. jsonl: one JSON object per sentence with its source, number, sent_id, text (null if "
    "it is dropped), and what each filter removed or, for rewrites, whether it changed.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    help="Output file, or folder with --each [default: standard output].",
)
@option(
    "--each",
    is_flag=True,
    help="Write a separate corpus for each filter instead of combining the filters.",
    requires="--output",
    excludes=("--dry-run", "--format jsonl"),
)
@lists_option
@limits_options()
@click.option("--dry-run", is_flag=True, help="Print only the table, and write no corpus.")
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed for random rewrites.")
def command(
    filter: tuple[str, ...],  # noqa: A002
    corpus: tuple[Path, ...],
    output_format: str,
    output: Path | None,
    limits: Limits,
    lists: ListOverrides,
    seed: int,
    *,
    each: bool,
    dry_run: bool,
) -> None:
    """Apply the actions of filters or rewrites to a corpus."""
    from runner.corpus.actions.drop_sentences import drops_sentences_only

    if not each:
        check_suffix(output, output_format, ("conllu", "jsonl"))
    arguments = filter or (".",)
    rewrites = load_rewrites(arguments, lists)
    if rewrites:
        _check_rewrites(arguments, rewrites, lists, each=each)
        apply_rewrites(
            open_corpus(corpus, limits), rewrites, output_format, None if dry_run else output, seed, dry_run=dry_run
        )
        return
    filters = load_filters(arguments, lists)
    drops_only = all(drops_sentences_only(compiled) for compiled in filters)
    if output_format == "conllu":
        _check_whole_sentences(filters)
    store = open_corpus(corpus, limits)
    note_absent_labels(store, filters)
    if each and output is not None:
        write_separately(store, filters, output_format, output)
    elif drops_only and output_format != "jsonl" and not dry_run:
        write_combined(store, filters, output_format, output)
    else:
        _write_edited(store, filters, output_format, output, dry_run=dry_run)


def _check_rewrites(
    arguments: Sequence[str], rewrites: Sequence[CompiledRewrite], lists: ListOverrides, *, each: bool
) -> None:
    """Raise UsageError if there are filters beside the rewrites, or --each is set."""
    rewrite_names = {(rewrite.matching.path, rewrite.name) for rewrite in rewrites}
    compiled_filters = load_filters_and_matches(arguments, lists)
    filter_names = [
        compiled.name for compiled in compiled_filters if (compiled.path, compiled.name) not in rewrite_names
    ]
    if filter_names:
        raise click.UsageError(
            f"{filter_names[0]} is a filter and {rewrites[0].name} is a rewrite: apply them one at a time"
        )
    if each:
        raise click.UsageError("--each is for filters: rewrites are applied together")


def _check_whole_sentences(filters: Sequence[CompiledFilter]) -> None:
    """Raise UsageError if a filter removes words from sentences."""
    from runner.corpus.actions.drop_sentences import drops_sentences_only

    word_filters = [compiled.name for compiled in filters if not drops_sentences_only(compiled)]
    if word_filters:
        raise click.UsageError(
            f"{word_filters[0]} removes words from sentences, so their trees are incomplete: use --format text"
        )


def _write_edited(
    store: Store, filters: Sequence[CompiledFilter], output_format: str, output: Path | None, *, dry_run: bool
) -> None:
    from runner.corpus.actions.edit import edit_sentences

    counts = ActionCounts(filters)
    sentences = counts.count(edit_sentences(store, filters))
    lines = _json_lines(store, filters, sentences) if output_format == "jsonl" else kept_texts(sentences)
    if dry_run:
        for _ in lines:
            pass
    else:
        with open_output(output) as file:
            file.writelines(line.encode() + b"\n" for line in lines)
    counts.print()


def _json_lines(store: Store, filters: Sequence[CompiledFilter], sentences: Iterator[EditedSentence]) -> Iterator[str]:
    import numpy as np

    from runner.corpus.sentences.lookup import locate

    labels = filter_labels(filters)
    for position, sentence in zip(locate(store, np.arange(store.info.sentences)), sentences, strict=True):
        entry = {
            "source": position.source,
            "number": position.number,
            "sent_id": position.sent_id,
            "text": sentence.text,
            "taken": [
                {
                    "filter": labels[targets.filter],
                    "action": filters[targets.filter].actions[targets.action],
                    "targets": targets.count,
                    "words": targets.words,
                }
                for targets in sentence.targets
            ],
        }
        yield json.dumps(entry, ensure_ascii=False)
