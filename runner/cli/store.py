"""`fictc store`: what a corpus store holds, and whether its bytes are still those that were written."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from runner.cli.progress import Style, progress_bar, progress_option


@click.group("store")
def command() -> None:
    """Look at a corpus store: what is in it, and whether it is undamaged.

    \b
    Examples:
      fictc store info stores/ewt
      fictc store verify stores/ewt
    """


@command.command()
@click.argument("store", type=click.Path(path_type=Path))
@click.option("--format", "kind", type=click.Choice(["text", "json"]), default="text", show_default=True)
def info(store: Path, kind: str) -> None:
    """Print what a STORE holds: sources, sizes, features, and what parsed it."""
    from runner.cli.terminal import for_output
    from runner.corpus.store import Store

    opened = Store.open(store)
    found = opened.info
    if kind == "json":
        click.echo(json.dumps({"key": opened.key, **asdict(found)}, ensure_ascii=False, indent=2))
        return
    click.echo(f"{found.sentences:,} sentences, {found.words:,} words; key {opened.key[:12]}")
    for source in found.sources:
        left_out = f", {source.rejected:,} left out" if source.rejected else ""
        click.echo(for_output(f"  {source.label}: {source.sentences:,} sentences, {source.words:,} words{left_out}"))
    for name in ("upos", "deprel", *found.features):
        values = sorted(found.values.get(name, {}).items(), key=lambda entry: -entry[1])
        shown = ", ".join(f"{value} {count:,}" for value, count in values[:8])
        click.echo(for_output(f"{name}: {shown}{' …' if len(values) > 8 else ''}"))
    if found.annotator is not None:
        described = ", ".join(f"{key} {found.annotator.get(key)}" for key in ("tool", "lang", "package", "versions"))
        click.echo(for_output(f"parsed by: {described}"))


@command.command()
@click.argument("store", type=click.Path(path_type=Path))
@progress_option
def verify(store: Path, progress: Style) -> None:
    """Read every file of a STORE and compare its sha256; ends with code 2 and the list if any differs."""
    from runner.corpus.store import Store

    opened = Store.open(store)
    total = sum(file.size for file in opened.files.values())
    done = 0
    with progress_bar("Verifying", progress, unit="bytes") as advance:

        def count(size: int) -> None:
            nonlocal done
            done += size
            advance(done, total)

        opened.verify(count)
    click.echo(f"{store}: {len(opened.files)} files are as they were written", err=True)
