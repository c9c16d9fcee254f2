"""`fictc corrupt`: a parsed corpus into pairs of a sentence and its corruption, and those that judges left."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.shared.messages import say
from runner.cli.shared.numbers import Whole

if TYPE_CHECKING:
    from runner.intervene.corrupt import CorruptedPair


@click.command("corrupt")
@click.argument("store", metavar="[STORE]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A .csv file.",
)
@click.option("-n", "number", type=Whole(1), default=200, show_default=True, help="Pairs of each operation.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Another seed makes other pairs.")
@click.option(
    "--words",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Words that may be inserted, one a line [the corpus's 1,000 most frequent ones that are no names; without "
    "UPOS, that are written in lower case].",
)
@click.option(
    "--reviewed",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Pairs that were judged: keep those whose second sentence both judges found unacceptable.",
)
def command(
    store: Path | None, output: Path, number: int, seed: int, words: Path | None, reviewed: Path | None
) -> None:
    """Make minimal pairs by corrupting sentences, to be judged by people, then scored.

    From the sentences of STORE three paradigms are made: `delete-root` takes the root out, `swap-neighbours` swaps
    two adjacent words, `insert-word` puts a word between two others. The file has the columns good and bad, as any
    suite, and two for judgements: 0 where the corrupted sentence is unacceptable, as it is meant to be, 1 where it is
    not. With --reviewed, the pairs that have two zeros are written, with all columns of theirs.

    \b
    Example:
      fictc corrupt stores/ewt -o pairs.csv -n 100
      fictc corrupt --reviewed pairs.csv -o kept.csv
    """
    from runner.intervene.corrupt import write_pairs
    from runner.intervene.review import review
    from runner.workspace import atomic_write, write_text

    if (store is None) == (reviewed is None):
        raise click.UsageError("one of STORE and --reviewed is required, and not both")
    if reviewed is not None:
        found = review(reviewed)
        write_text(output, found.text)
        say(f"{output}: {found.selected:,} of {found.total:,} pairs", err=True)
        return
    assert store is not None
    pairs = _made(store, number, seed, words)
    with atomic_write(output) as temp:
        write_pairs(pairs, temp)
    say(f"{output}: {len(pairs):,} pairs", err=True)


def _made(path: Path, number: int, seed: int, words: Path | None) -> list[CorruptedPair]:
    from runner.corpus.store.opening import Store
    from runner.corpus.text.units import read_list
    from runner.intervene.corrupt import OPERATIONS, corrupted_pairs, frequent_words

    store = Store.open(path)
    listed = [word for line in read_list(words) for word in line.split()] if words else frequent_words(store)
    pairs = []
    for operation in OPERATIONS:
        made = corrupted_pairs(store, operation, number, seed, listed)
        if len(made) < number:
            say(f"note: {operation} can be done to {len(made):,} sentences, not to {number:,}", err=True)
        pairs += made
    return pairs
