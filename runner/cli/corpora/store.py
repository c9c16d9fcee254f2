"""`fictc store`: what a corpus store holds, whether its bytes are those that were written, and stores out of stores."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.corpora.store_commands import merge, split, upgrade
from runner.cli.corpora.store_layer import add_layer
from runner.cli.shared.messages import say
from runner.cli.shared.progress import Style, progress_bar, progress_option

if TYPE_CHECKING:
    from runner.corpus.store.opening import Store


@click.group("store")
def command() -> None:
    """Look into a corpus store, check that it is undamaged, or make others of it.

    \b
    Examples:
      fictc store info stores/ewt
      fictc store verify stores/ewt
      fictc store split stores/ewt --parts 4 --output stores/ewt-parts
      fictc store merge stores/ewt stores/gum --output stores/english
      fictc store add-layer stores/ewt animacy.tsv
      fictc store upgrade stores/ewt
    """


for _made in (split, merge, add_layer, upgrade):
    command.add_command(_made)


@command.command()
@click.argument("store", type=click.Path(path_type=Path))
@click.option("--format", "kind", type=click.Choice(["text", "json"]), default="text", show_default=True)
def info(store: Path, kind: str) -> None:
    """Print what a STORE holds: sources, values, what parsed it, the size of its tables, its index."""
    from runner.cli.shared.terminal import for_output
    from runner.corpus.conllu.reader import pluralize
    from runner.corpus.store.opening import Store

    opened = Store.open(store)
    found = opened.info
    if kind == "json":
        click.echo(json.dumps(_described(opened), ensure_ascii=False, indent=2))
        return
    index = _index(opened)
    click.echo(f"{pluralize(found.sentences, 'sentence')}, {pluralize(found.words, 'word')}; key {opened.key[:12]}")
    for source in found.sources:
        left_out = f", {source.rejected:,} left out" if source.rejected else ""
        size = f"{pluralize(source.sentences, 'sentence')}, {pluralize(source.words, 'word')}"
        click.echo(for_output(f"  {source.label}: {size}{left_out}"))
    for name in ("upos", "deprel", *found.features):
        values = sorted(found.values.get(name, {}).items(), key=lambda entry: -entry[1])
        shown = ", ".join(f"{value} {count:,}" for value, count in values[:8])
        click.echo(for_output(f"{name}: {shown}{' …' if len(values) > 8 else ''}"))
    if found.annotator is not None:
        described = ", ".join(f"{key} {found.annotator.get(key)}" for key in ("tool", "lang", "package", "versions"))
        click.echo(for_output(f"parsed by: {described}"))
    click.echo(f"on disk, in {pluralize(found.chunks, 'chunk')}:")
    for name, taken in [*opened.sizes.items(), ("all", sum(opened.sizes.values()))]:
        click.echo(f"  {name:<12} {taken:>15,} bytes {taken / found.words:>7.2f} a word")
    if opened.layout.copies:
        click.echo(f"copies of neighbours: {', '.join(sorted(opened.layout.copies))}")
    for layer in found.layers:
        prefix = "" if layer.kind == "feature" else f"{layer.kind}."
        names = ", ".join(f"{prefix}{name}" for name in layer.names)
        click.echo(for_output(f"layer {layer.name}: {names} ({layer.rows:,}), from {layer.source}"))
    click.echo(f"index: {index}")


def _described(store: Store) -> dict[str, object]:
    index = store.index
    projections = index.projections if index else ()
    copies = [{"by": each.by, "rows": each.rows, "columns": each.columns} for each in projections]
    return {
        "key": store.key,
        **asdict(store.info),
        "bytes": store.sizes,
        "copies": sorted(store.layout.copies),
        "index": {"bytes": index.size, "projections": copies} if index else None,
    }


def _index(store: Store) -> str:
    from runner.cli.shared.terminal import for_output
    from runner.corpus.store.index import is_foreign

    if store.index is None:
        foreign = is_foreign(store.path, store.files)
        return "one of other words, not used; `fictc index` makes it again" if foreign else "none"
    by = [projection.by for projection in store.layout.projections]
    size = f"{store.index.size:,} bytes, {store.index.size / store.info.words:.2f} a word"
    return for_output(f"{size}; sorted by {', '.join(by)}")


@command.command()
@click.argument("store", type=click.Path(path_type=Path))
@progress_option
def verify(store: Path, progress: Style) -> None:
    """Read every file of a STORE and compare its sha256; ends with code 2 and the list if any differs.

    The numbers of its sentences are checked too: a source and a number name one sentence.
    """
    from runner.corpus.maintain.numbering import check_numbers
    from runner.corpus.store.opening import Store

    opened = Store.open(store)
    index = opened.index.files.values() if opened.index else ()
    total = sum(file.size for file in (*opened.files.values(), *index))
    done = 0
    with progress_bar("Verifying", progress, unit="bytes") as advance:

        def count(size: int) -> None:
            nonlocal done
            done += size
            advance(done, total)

        opened.verify(count)
        if opened.index:
            opened.index.verify(count)
    check_numbers(opened)
    say(f"{store}: {len(opened.files) + len(index)} files are as they were written", err=True)
