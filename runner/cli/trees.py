"""`fictc trees`: gold trees of a benchmark whose sentences were made from templates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fictdsl.words import counted
from runner.cli.options import FILE, PATH, check_written
from runner.cli.terminal import print_message
from runner.tables import Column, Table, to_text
from runner.workspace import atomic_write

if TYPE_CHECKING:
    from runner.trees.blimp import Coverage


@click.command("trees")
@click.argument("benchmark", type=click.Choice(["blimp"]), metavar="blimp")
@click.option("--suite", required=True, type=PATH, metavar="SUITE", help="BLiMP: its folder, or some of its files.")
@click.option(
    "--vocabulary",
    required=True,
    type=FILE,
    metavar="FILE",
    help="The vocabulary that BLiMP's sentences were drawn from, a .csv (`fictc fetch blimp-vocabulary`).",
)
@click.option("--output", "-o", required=True, type=FILE, metavar="FILE", help="Output file: .conllu.")
def command(benchmark: str, suite: Path, vocabulary: Path, output: Path) -> None:  # noqa: ARG001 - there is one so far
    """Write the UD trees of BLiMP's sentences, good and bad, as CoNLL-U.

    Templates of each field say how its sentences are built, in the style of UD English EWT. A sentence has a tree if
    the templates give it exactly one. Its comments are blimp::uid, blimp::field and blimp::side, for `fictc show --by`.
    A table has, for each paradigm, the number of sentences with one tree, none, and several.

    \b
    Example:
      fictc fetch blimp
      fictc fetch blimp-vocabulary
      fictc trees blimp --suite data/blimp --vocabulary data/blimp-vocabulary/vocabulary.csv -o blimp.conllu
      fictc import blimp.conllu --output stores/blimp
      fictc count filters/passive.fict --corpus stores/blimp
    """
    from runner.score.pair_formats import load_suite
    from runner.trees.blimp import write_trees
    from runner.trees.vocabulary import Vocabulary

    check_written("--output", output, ".conllu")
    words = Vocabulary(vocabulary)
    pairs = load_suite(suite).items
    with atomic_write(output) as temp, temp.open("w", encoding="utf-8", newline="\n") as file:
        coverages = write_trees(pairs, words, file)
    for line in to_text(_table(coverages)):
        click.echo(line)
    trees, sentences = (sum(getattr(each, name) for each in coverages) for name in ("trees", "sentences"))
    print_message(f"{output}: trees of {trees:,} of {counted(sentences, 'sentence')}", err=True)


def _table(coverages: Sequence[Coverage]) -> Table:
    counts = [Column(name, name, "count") for name in ("sentences", "trees", "none", "several")]
    return Table("trees", "", [Column("field", "field"), Column("paradigm", "paradigm"), *counts], coverages)
