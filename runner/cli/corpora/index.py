"""`fictc index`: a store's words copied in other orders, so that filters need not look at all of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.shared.messages import say
from runner.cli.shared.progress import Style, progress_bar, progress_option

if TYPE_CHECKING:
    from runner.corpus.indexing.build import Estimate


@click.command("index")
@click.argument("store", type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only say what the index would cost.")
@click.option("--drop", is_flag=True, help="Remove the index.")
@progress_option
def command(store: Path, *, dry_run: bool, drop: bool, progress: Style) -> None:
    """Make the index of a STORE, or make it again.

    An index is for stores that are asked often, as by `fictc show` and editors: filters that name words, lemmas or rare
    features read a small part of it instead of the whole store. What they find is the same. It lies in the store's
    folder and may be dropped at any time.

    \b
    Examples:
      fictc index stores/ewt --dry-run
      fictc index stores/ewt
      fictc index stores/ewt --drop
    """
    from runner.corpus.indexing.build import build_index, estimate
    from runner.corpus.store.index import drop_index
    from runner.corpus.store.opening import Store

    if drop and dry_run:
        raise click.UsageError("--drop and --dry-run do not go together")
    opened = Store.open(store)
    if drop:
        say(f"{store}: {'the index is removed' if drop_index(opened.path) else 'there is no index'}", err=True)
        return
    say(f"{store}: {_told(estimate(opened), opened.info.words)}", err=True)
    if dry_run:
        return
    with progress_bar("Indexing", progress, unit="rows") as advance:
        build_index(opened, advance)
    index = Store.open(store).index
    assert index is not None
    size = f"{_megabytes(index.size)}, {index.size / opened.info.words:.1f} bytes a word"
    say(f"{store}: indexed, {size}", err=True)


def _told(cost: Estimate, words: int) -> str:
    from runner.corpus.conllu.reader import pluralize

    features = len(cost.rows) - 2
    by = ["form", "lemma", *([pluralize(features, "feature")] if features else [])]
    copies = f"sorted by {', by '.join(by[:-1])} and by {by[-1]}"
    time = f"{cost.seconds / 60:.0f} minutes" if cost.seconds >= 90 else f"{max(1, round(cost.seconds))} s"
    size = f"{_megabytes(cost.size)} of disk ({cost.size / words:.0f} bytes a word)"
    return f"{copies}; about {time} of one processor, {size}, and {_megabytes(cost.meanwhile)} more until it is ready"


def _megabytes(size: float) -> str:
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{size / 1e3:,.1f} kB"
