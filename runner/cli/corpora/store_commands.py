"""`fictc store split` and `merge`: make stores from other stores."""

from __future__ import annotations

from pathlib import Path

import click

from runner.cli.options.numbers import Count
from runner.cli.shared.messages import print_message
from runner.cli.shared.progress import Style, counting_bar, progress_option
from runner.cli.shared.terminal import for_output
from runner.counted import counted

_STORE = click.argument("store", type=click.Path(path_type=Path))
_FORCE = click.option("--force", is_flag=True, help="Replace an existing store.")


@click.command()
@_STORE
@click.option("--output", "-o", required=True, type=click.Path(path_type=Path), help="Directory of the new stores.")
@click.option("--sentences", type=Count(1), help="Sentences per store.")
@click.option("--words", type=Count(1), help="Minimum words per store; sentences are kept whole.")
@click.option("--parts", type=Count(1), help="Number of stores, with about equally many words.")
@click.option("--by", metavar="KEY", help="One store per `source`, or per value of a comment, such as `meta.genre`.")
@_FORCE
@progress_option
def split(
    store: Path,
    output: Path,
    sentences: int | None,
    words: int | None,
    parts: int | None,
    by: str | None,
    *,
    force: bool,
    progress: Style,
) -> None:
    """Split a STORE into several stores.

    The new stores are named 1, 2, 3 …, or after the values they are split by; `_` has the sentences without a value.
    Sentences keep their order, source and number.

    \b
    Examples:
      fictc store split stores/ewt --parts 4 --output stores/ewt-parts
      fictc store split stores/ewt --by source --output stores/ewt-files
    """
    from runner.corpus.maintain.split import consecutive_parts, parts_by_key
    from runner.corpus.maintain.split import split as write
    from runner.corpus.store.opening import Store

    if sum(option is not None for option in (sentences, words, parts, by)) != 1:
        raise click.UsageError("expected exactly one of --sentences, --words, --parts and --by")
    corpus = Store.open(store)
    new_stores = (
        consecutive_parts(corpus, sentences=sentences, words=words, parts=parts)
        if by is None
        else parts_by_key(corpus, by)
    )
    total = corpus.info.sentences * len(new_stores)
    with counting_bar("Splitting", progress, unit="sentences", total=total) as count:
        write(corpus, new_stores, output, force=force, advance=count)
    for part in new_stores:
        sentence_count = counted(int(part.mask.sum()), "sentence")
        click.echo(for_output(f"{output / part.name}: {sentence_count}"), err=True)
    names = {part.name for part in new_stores}
    if others := sorted(file.parent.name for file in output.glob("*/store.json") if file.parent.name not in names):
        print_message(f"note: {output} also has other stores, which are not parts: {', '.join(others)}", err=True)


@click.command()
@click.argument("stores", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--output", "-o", required=True, type=click.Path(path_type=Path), metavar="STORE", help="The store to create."
)
@click.option(
    "--mixed", is_flag=True, help="Merge stores even if different parsers made them; the new store records all of them."
)
@_FORCE
@progress_option
def merge(stores: tuple[Path, ...], output: Path, *, mixed: bool, force: bool, progress: Style) -> None:
    """Merge several STORES into one, in the given order.

    Sources keep their names unless two files have the same name. Merging all parts of a split store restores it.

    \b
    Example:
      fictc store merge stores/ewt stores/gum --output stores/english
    """
    from runner.corpus.maintain.merge import merge as write
    from runner.corpus.store.opening import Store

    corpora = [Store.open(path) for path in stores]
    total = sum(store.info.sentences for store in corpora)
    with counting_bar("Merging", progress, unit="sentences", total=total) as count:
        info = write(corpora, output, mixed=mixed, force=force, advance=count).info
    counts = f"{counted(info.sentences, 'sentence')}, {counted(info.words, 'word')}"
    print_message(f"{output}: {counts}, from {counted(len(corpora), 'store')}", err=True)
