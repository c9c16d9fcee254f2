"""`fictc store split | merge | upgrade`: stores out of stores."""

from __future__ import annotations

from pathlib import Path

import click

from runner.cli.shared.messages import say
from runner.cli.shared.numbers import Whole
from runner.cli.shared.progress import Style, progress_bar, progress_option
from runner.cli.shared.terminal import for_output

_STORE = click.argument("store", type=click.Path(path_type=Path))
_FORCE = click.option("--force", is_flag=True, help="Replace what exists, if it is a store.")


@click.command()
@_STORE
@click.option("--output", "-o", required=True, type=click.Path(path_type=Path), help="The folder for the new stores.")
@click.option("--sentences", type=Whole(1), help="So many sentences each.")
@click.option("--words", type=Whole(1), help="At least so many words each, whole sentences.")
@click.option("--parts", type=Whole(1), help="So many stores, of about as many words each.")
@click.option("--by", metavar="KEY", help="One for each `source`, or each value of a comment, such as `meta.genre`.")
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
    """Make several stores of a STORE.

    They are called 1, 2, 3 …, or as the values that they are split by; sentences without a value are in `_`. The
    sentences keep their order, and the source and number that they are known by.

    \b
    Examples:
      fictc store split stores/ewt --parts 4 --output stores/ewt-parts
      fictc store split stores/ewt --by source --output stores/ewt-files
    """
    from runner.corpus.conllu.reader import pluralize
    from runner.corpus.maintain.split import groups, runs
    from runner.corpus.maintain.split import split as write
    from runner.corpus.store.opening import Store

    if sum(choice is not None for choice in (sentences, words, parts, by)) != 1:
        raise click.UsageError("one of --sentences, --words, --parts and --by says where to split")
    opened = Store.open(store)
    found = runs(opened, sentences=sentences, words=words, parts=parts) if by is None else groups(opened, by)
    with progress_bar("Splitting", progress, unit="sentences") as advance:
        total, done = opened.info.sentences * len(found), 0

        def count(passed: int) -> None:
            nonlocal done
            done += passed
            advance(done, total)

        write(opened, found, output, force=force, advance=count)
    for part in found:
        size = pluralize(int(part.wanted.sum()), "sentence")
        click.echo(for_output(f"{output / part.name}: {size}"), err=True)


@click.command()
@click.argument("stores", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--output", "-o", required=True, type=click.Path(path_type=Path), metavar="STORE", help="The store to make."
)
@click.option("--mixed", is_flag=True, help="Merge stores that different programs parsed, and note each of them.")
@_FORCE
@progress_option
def merge(stores: tuple[Path, ...], output: Path, *, mixed: bool, force: bool, progress: Style) -> None:
    """Make one store of several STORES, their sentences one after the other.

    A source keeps its name, unless two files have the same. The parts of a split store become that store again.

    \b
    Example:
      fictc store merge stores/ewt stores/gum --output stores/english
    """
    from runner.corpus.conllu.reader import pluralize
    from runner.corpus.maintain.merge import merge as write
    from runner.corpus.store.opening import Store

    opened = [Store.open(path) for path in stores]
    with progress_bar("Merging", progress, unit="sentences") as advance:
        total, done = sum(store.info.sentences for store in opened), 0

        def count(passed: int) -> None:
            nonlocal done
            done += passed
            advance(done, total)

        made = write(opened, output, mixed=mixed, force=force, advance=count).info
    size = f"{pluralize(made.sentences, 'sentence')}, {pluralize(made.words, 'word')}"
    say(f"{output}: {size}, from {pluralize(len(opened), 'store')}", err=True)


@click.command()
@_STORE
@click.option("--output", "-o", type=click.Path(path_type=Path), metavar="STORE", help="Leave the old one as it is.")
@_FORCE
@progress_option
def upgrade(store: Path, output: Path | None, *, force: bool, progress: Style) -> None:
    """Bring a STORE that an older fictc made up to date, with the same sentences.

    \b
    Example:
      fictc store upgrade stores/ewt
    """
    from runner.corpus.maintain.upgrade import upgrade as write
    from runner.corpus.store.opening import Store

    total = Store.open(store, older=True).info.sentences
    with progress_bar("Upgrading", progress, unit="sentences") as advance:
        done = 0

        def count(passed: int) -> None:
            nonlocal done
            done += passed
            advance(done, total)

        changed = write(store, output, force=force, advance=count)
    said = "brought up to date" if changed else "up to date already"
    say(f"{output or store}: {said}", err=True)
