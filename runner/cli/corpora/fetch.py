"""`fictc fetch`: the name of a data set into its files, checked by sha256."""

from __future__ import annotations

from pathlib import Path

import click

from runner.cli.shared.messages import say
from runner.cli.shared.progress import Style, progress_bar, progress_option


@click.command("fetch")
@click.argument("name", metavar="ud-ewt|ud-gum|blimp|winobias|msr-compression|fict-lists")
@click.option("--mirror", metavar="URL", help="Where the files lie, in place of their first home: URL/FILE.")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="The folder for the files. [default: data/NAME]")
@click.option(
    "--registry",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A registry of data sets beside the built-in one: TOML with a table for each, its `base` and its `files` "
    "with their sha256.",
)
@progress_option
def command(name: str, mirror: str | None, output: Path | None, registry: Path | None, progress: Style) -> None:
    """Download a treebank, a benchmark or the word lists of FiCT.

    This is the only command that uses the network. Each file is kept only if its sha256 is the expected one, and
    files that are there already are not downloaded again.

    \b
    Examples:
      fictc fetch blimp
      fictc fetch ud-ewt --mirror https://example.org/ud-ewt --output data/ewt
    """
    from runner.corpus.fetch import data_sets, fetch

    folder = output or Path("data") / name
    with progress_bar(f"Fetching {name}", progress, unit="files") as advance:
        paths = fetch(name, folder, mirror=mirror, registry=registry, progress=advance)
    chosen = data_sets(registry)[name]
    say(f"{folder}: {len(paths)} files. {chosen.about}. Licence: {chosen.licence}", err=True)
