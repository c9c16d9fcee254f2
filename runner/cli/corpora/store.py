"""`fictc store`: inspect and verify a corpus store; split, merge and extend stores."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.corpora.store_commands import merge, split
from runner.cli.corpora.store_layer import add_layer
from runner.cli.options.format import format_option
from runner.cli.shared.messages import print_message
from runner.cli.shared.progress import Style, counting_bar, progress_option
from runner.counted import counted

if TYPE_CHECKING:
    from runner.corpus.store.opening import Store


@click.group("store")
def command() -> None:
    """Inspect, verify, split, merge or extend corpus stores.

    \b
    Examples:
      fictc store info stores/ewt
      fictc store verify stores/ewt
      fictc store split stores/ewt --parts 4 --output stores/ewt-parts
      fictc store merge stores/ewt stores/gum --output stores/english
      fictc store add-layer stores/ewt animacy.tsv
    """


for _subcommand in (split, merge, add_layer):
    command.add_command(_subcommand)


@command.command()
@click.argument("store", type=click.Path(path_type=Path))
@format_option("text", "json")
def info(store: Path, output_format: str) -> None:
    """Print the contents of a STORE: sources, values, parser, table sizes and index."""
    from runner.cli.shared.terminal import for_output
    from runner.corpus.store.opening import Store

    corpus = Store.open(store)
    contents = corpus.info
    if output_format == "json":
        click.echo(json.dumps(_info_record(corpus), ensure_ascii=False, indent=2))
        return
    index = _index_summary(corpus)
    click.echo(f"{counted(contents.sentences, 'sentence')}, {counted(contents.words, 'word')}; key {corpus.key[:12]}")
    for source in contents.sources:
        rejected = f", {source.rejected:,} rejected" if source.rejected else ""
        counts = f"{counted(source.sentences, 'sentence')}, {counted(source.words, 'word')}"
        click.echo(for_output(f"  {source.label}: {counts}{rejected}"))
    for name in ("upos", "deprel", *contents.features):
        values = sorted(contents.values.get(name, {}).items(), key=lambda entry: -entry[1])
        most_frequent = ", ".join(f"{value} {count:,}" for value, count in values[:8])
        click.echo(for_output(f"{name}: {most_frequent}{' …' if len(values) > 8 else ''}"))
    if contents.annotator is not None:
        annotator = ", ".join(f"{key} {contents.annotator.get(key)}" for key in ("tool", "lang", "package", "versions"))
        click.echo(for_output(f"parsed by: {annotator}"))
    click.echo(f"on disk, in {counted(contents.chunks, 'chunk')}:")
    for name, bytes_used in [*corpus.sizes.items(), ("all", sum(corpus.sizes.values()))]:
        click.echo(f"  {name:<12} {bytes_used:>15,} bytes {bytes_used / contents.words:>7.2f} per word")
    if corpus.layout.copies:
        click.echo(f"copies of neighbours: {', '.join(sorted(corpus.layout.copies))}")
    for layer in contents.layers:
        prefix = "" if layer.kind == "feature" else f"{layer.kind}."
        names = ", ".join(f"{prefix}{name}" for name in layer.names)
        click.echo(for_output(f"layer {layer.name}: {names} ({layer.rows:,}), from {layer.source}"))
    click.echo(f"index: {index}")


def _info_record(store: Store) -> dict[str, object]:
    index = store.index
    copies = index.sorted_copies if index else ()
    copy_records = [{"by": copy.by, "rows": copy.rows, "columns": copy.columns} for copy in copies]
    return {
        "key": store.key,
        **asdict(store.info),
        "absent": {feature: sorted(chunks) for feature, chunks in store.info.absent.items()},
        "bytes": store.sizes,
        "copies": sorted(store.layout.copies),
        "index": {"bytes": index.size, "projections": copy_records} if index else None,
    }


def _index_summary(store: Store) -> str:
    from runner.cli.shared.terminal import for_output
    from runner.corpus.store.index import is_foreign

    if store.index is None:
        foreign = is_foreign(store.path, store.files)
        return "out of date and not used; `fictc index` rebuilds it" if foreign else "none"
    sort_keys = [copy.by for copy in store.layout.sorted_copies]
    size = f"{store.index.size:,} bytes, {store.index.size / store.info.words:.2f} per word"
    return for_output(f"{size}; sorted by {', '.join(sort_keys)}")


@command.command()
@click.argument("store", type=click.Path(path_type=Path))
@progress_option
def verify(store: Path, progress: Style) -> None:
    """Compare the SHA-256 of every file of a STORE with the recorded one; exit with code 2 if any differs.

    The numbers of the sentences are checked too: a source and a number must identify one sentence.
    """
    from runner.corpus.maintain.numbering import check_numbers
    from runner.corpus.store.opening import Store

    corpus = Store.open(store)
    index = corpus.index.files.values() if corpus.index else ()
    total = sum(file.size for file in (*corpus.files.values(), *index))
    with counting_bar("Verifying", progress, unit="bytes", total=total) as count:
        corpus.verify(count)
        if corpus.index:
            corpus.index.verify(count)
    check_numbers(corpus)
    print_message(f"{store}: {counted(len(corpus.files) + len(index), 'file is', 'files are')} intact", err=True)
