"""`fictc sample`: a size and a seed into a small English with gold trees and minimal pairs."""

from __future__ import annotations

from pathlib import Path

import click

from runner.cli.shared.messages import say
from runner.cli.shared.numbers import Whole
from runner.cli.shared.progress import Style, progress_bar, progress_option
from runner.readers import real_path


@click.command("sample")
@click.option(
    "--output", "-o", required=True, type=click.Path(path_type=Path), metavar="DIR", help="The folder to make."
)
@click.option(
    "--sentences",
    "-n",
    type=Whole(min=1),
    default=20_000,
    show_default=True,
    help="Sentences of training text; validation and test text have a twentieth of that each.",
)
@click.option(
    "--pairs", type=click.IntRange(min=0), default=1_000, show_default=True, help="Minimal pairs of each paradigm."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed gives another sample.")
@click.option("--force", is_flag=True, help="Replace an earlier sample at DIR.")
@progress_option
def command(output: Path, sentences: int, pairs: int, seed: int, *, force: bool, progress: Style) -> None:
    """Generate a small English: trees in CoNLL-U and minimal pairs.

    The sentences come from a grammar with a vocabulary of a few hundred words. Their trees are right by
    construction, in the style of UD English, and each says which constructions it holds: agreement across PPs and
    relative clauses, determiners, reflexives, polarity items, existential there, quantifiers, passives, among plain
    sentences. counts.json says how many sentences hold which, so that it can be checked what a filter finds. The
    pairs are in the format and under the names of BLiMP.

    \b
    Example:
      fictc sample --output sample --sentences 20000 --pairs 200 --seed 1
      fictc import sample/train.conllu --output sample/store
    """
    from runner.sample import generate
    from runner.workspace import clean_stale, publish_dir

    replace = _may_replace(output, force=force)
    clean_stale(real_path(output).parent)
    with publish_dir(real_path(output), replace=replace) as folder, progress_bar("Generating", progress) as advance:
        summary = generate(folder, sentences=sentences, pairs=pairs, seed=seed, progress=advance)
    train = summary.splits["train"]
    counts = f"{train.sentences:,} sentences, {train.words:,} words"
    say(f"{output}: {counts}; {len(summary.pairs)} paradigms of {pairs:,} pairs", err=True)


def _may_replace(output: Path, *, force: bool) -> bool:
    """Whether there is a folder at `output` that gives way; InputError for what is not to be lost."""
    from fictdsl.diagnostics.codes import diagnostic
    from runner.errors import InputError

    if not output.exists():
        return False
    if output.is_dir() and not any(output.iterdir()):
        return True
    if not ((output / "counts.json").is_file() and (output / "train.conllu").is_file()):
        raise InputError(diagnostic("FICT831", path=output))
    if not force:
        raise InputError(diagnostic("FICT830", path=output))
    return True
