"""`fictc sample` and `fetch`: data to begin with, generated or downloaded."""

from __future__ import annotations

from pathlib import Path

import click

from fictdsl.words import counted
from runner.cli.options import PATH, SEED, BoundedInt
from runner.cli.progress import Style, progress_bar, progress_option
from runner.cli.terminal import print_message, size_of
from runner.errors import InputError
from runner.readers import real_path
from runner.workspace import clean_stale, publish_dir


@click.command("sample")
@click.option("--output", "-o", required=True, type=PATH, metavar="DIR", help="Output directory.")
@click.option(
    "--sentences",
    "-n",
    type=BoundedInt(1, 10_000_000, "its lexicon is small"),
    default=20_000,
    help="Training sentences; the validation and test data each have a twentieth of that number.",
)
@click.option(
    "--pairs", type=BoundedInt(0, 100_000, "its lexicon is small"), default=1_000, help="Minimal pairs per paradigm."
)
@click.option("--seed", type=SEED, default=1, help="Seed for the random sample.")
@click.option("--force", is_flag=True, help="Replace an existing sample in DIR, if DIR has no other files.")
@progress_option
def command(output: Path, sentences: int, pairs: int, seed: int, *, force: bool, progress: Style) -> None:
    """Generate a small English: trees in CoNLL-U and minimal pairs.

    The sentences come from a grammar with a vocabulary of a few hundred words. Their trees are correct by construction,
    in the style of UD English, and comments name the constructions of each sentence: agreement across PPs and relative
    clauses, determiners, reflexives, polarity items, existential there, quantifiers and passives, among plain
    sentences. counts.json has the number of sentences per construction, to check the matches of a filter. The pairs use
    the format and paradigm names of BLiMP.

    \b
    Example:
      fictc sample --output sample --sentences 20000 --pairs 200 --seed 1
      fictc import sample/train.conllu --output sample/store
    """
    from runner.sample.corpus import generate

    replace = _may_replace(output, force=force)
    clean_stale(real_path(output).parent)
    with publish_dir(real_path(output), replace=replace) as folder, progress_bar("Generating", progress) as advance:
        summary = generate(folder, sentences=sentences, pairs=pairs, seed=seed, progress=advance)
    train_size = size_of(summary.splits["train"])
    print_message(f"{output}: {train_size}; {len(summary.pairs)} paradigms of {counted(pairs, 'pair')}", err=True)


def _may_replace(output: Path, *, force: bool) -> bool:
    """Return whether `output` exists and may be replaced. Raises InputError (FICT830, FICT831) if it may not."""
    from runner.sample.corpus import FILES

    if not output.exists():
        return False
    if output.is_dir() and not any(output.iterdir()):
        return True
    if not ((output / "counts.json").is_file() and (output / "train.conllu").is_file()):
        raise InputError.of("FICT831", path=output, reason="is not a generated sample")
    if other_names := sorted(path.name for path in output.iterdir() if path.name not in FILES):
        raise InputError.of("FICT831", path=output, reason=f"has {other_names[0]}, which is not of a sample")
    if not force:
        raise InputError.of("FICT830", path=output, hint="`--force` replaces it")
    return True


@click.command("fetch")
@click.argument("name", metavar="ud-ewt|ud-gum|blimp|winobias|aann|msr-compression|fict-lists|fict-results")
@click.option("--mirror", metavar="URL", help="Download URL/FILE instead of the original address.")
@click.option("--output", "-o", type=PATH, help="Output directory [default: data/NAME].")
@click.option(
    "--registry",
    type=PATH,
    metavar="FILE",
    help="Additional registry of data sets: a TOML file with one table per data set, which contains the `base` URL and "
    "the `files` with their SHA-256.",
)
@progress_option
def fetch_data(name: str, mirror: str | None, output: Path | None, registry: Path | None, progress: Style) -> None:
    """Download a treebank, a benchmark, or the word lists or results of FiCT.

    Apart from this command, only `fictc generate --endpoint` accesses the internet. A file is kept only if its SHA-256
    is the expected one. Files that already exist are not downloaded again.

    \b
    Examples:
      fictc fetch blimp
      fictc fetch ud-ewt --mirror https://example.org/ud-ewt --output data/ewt
    """
    from runner.fetch import data_sets, fetch

    folder = output or Path("data") / name
    with progress_bar(f"Fetching {name}", progress, unit="files") as advance:
        paths = fetch(name, folder, mirror=mirror, registry=registry, progress=advance)
    data_set = data_sets(registry)[name]
    print_message(f"{folder}: {counted(len(paths), 'file')}. {data_set.about}. Licence: {data_set.licence}", err=True)
