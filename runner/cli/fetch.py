"""`fictc fetch`: download a data set and verify its checksums."""

from __future__ import annotations

from pathlib import Path

import click

from fictdsl.words import counted
from runner.cli.messages import print_message
from runner.cli.progress import Style, progress_bar, progress_option


@click.command("fetch")
@click.argument("name", metavar="ud-ewt|ud-gum|blimp|winobias|aann|msr-compression|fict-lists|fict-results")
@click.option("--mirror", metavar="URL", help="Download URL/FILE instead of the original address.")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Output directory [default: data/NAME].")
@click.option(
    "--registry",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Additional registry of data sets: a TOML file with one table per data set, which contains the `base` URL and "
    "the `files` with their SHA-256.",
)
@progress_option
def command(name: str, mirror: str | None, output: Path | None, registry: Path | None, progress: Style) -> None:
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
