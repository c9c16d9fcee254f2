"""`fictc corrupt`: make minimal pairs by corrupting sentences, or keep the pairs that annotators accept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fictdsl.words import counted
from runner.cli.messages import print_message
from runner.cli.options import SEED, Count, option

if TYPE_CHECKING:
    from runner.conditions.corrupted_pairs import CorruptedPair


@click.command("corrupt")
@click.argument("store", metavar="[STORE]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Output file (.csv).",
)
@option(
    "-n",
    "pairs_per_operation",
    type=Count(1),
    default=200,
    show_default=True,
    help="Pairs per operation.",
    requires="STORE",
)
@option("--seed", type=SEED, default=0, show_default=True, help="Seed for the random choices.", requires="STORE")
@option(
    "--words",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Words to insert, one per line [default: the 1,000 most frequent words of the corpus except proper nouns or, "
    "without UPOS, words not in lower case].",
    requires="STORE",
)
@option(
    "--reviewed",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Judged pairs: keep those whose second sentence both annotators found unacceptable.",
    excludes="STORE",
)
def command(
    store: Path | None, output: Path, pairs_per_operation: int, seed: int, words: Path | None, reviewed: Path | None
) -> None:
    """Make minimal pairs by corrupting sentences, for judgement by people and for scoring models.

    Three paradigms are made from the sentences of STORE: `delete-root` removes the root, `swap-neighbours` swaps two
    adjacent words, `insert-word` inserts a word between two others. The file has the columns good and bad, like any
    suite, and two columns for judgements: 0 if the corrupted sentence is unacceptable, as intended, else 1. With
    --reviewed, only the pairs with two zeros are written, with all their columns.

    \b
    Example:
      fictc corrupt stores/ewt -o pairs.csv -n 100
      fictc corrupt --reviewed pairs.csv -o kept.csv
    """
    from runner.conditions.corrupted_pairs import review, write_pairs
    from runner.workspace import atomic_write, write_text

    if store is None and reviewed is None:
        raise click.UsageError("expected either STORE or --reviewed")
    if reviewed is not None:
        selection = review(reviewed)
        write_text(output, selection.text)
        print_message(f"{output}: {selection.selected:,} of {counted(selection.total, 'pair')}", err=True)
        return
    assert store is not None
    pairs = _corrupted_pairs(store, pairs_per_operation, seed, words)
    with atomic_write(output) as temp:
        write_pairs(pairs, temp)
    print_message(f"{output}: {counted(len(pairs), 'pair')}", err=True)


def _corrupted_pairs(path: Path, pairs_per_operation: int, seed: int, words: Path | None) -> list[CorruptedPair]:
    from runner.conditions.corrupted_pairs import OPERATIONS, corrupted_pairs
    from runner.corpus.raw_text import read_list
    from runner.corpus.statistics import frequent_words
    from runner.corpus.store import Store

    store = Store.open(path)
    insertable_words = [word for line in read_list(words) for word in line.split()] if words else frequent_words(store)
    pairs = []
    for operation in OPERATIONS:
        operation_pairs = corrupted_pairs(store, operation, pairs_per_operation, seed, insertable_words)
        if len(operation_pairs) < pairs_per_operation:
            print_message(
                f"note: {operation} applies to {counted(len(operation_pairs), 'sentence')}, "
                f"not the {pairs_per_operation:,} requested",
                err=True,
            )
        pairs += operation_pairs
    return pairs
