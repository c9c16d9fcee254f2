"""`fictc index`: sorted copies of the words of a store, for faster queries."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fictdsl.words import counted
from runner.cli.messages import print_message
from runner.cli.options import option
from runner.cli.progress import Style, progress_bar, progress_option

if TYPE_CHECKING:
    from runner.corpus.index_build import Estimate


@click.command("index")
@click.argument("store", type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only print the estimated time and size of the index.")
@option("--drop", is_flag=True, help="Remove the index.", excludes="--dry-run")
@progress_option
def command(store: Path, *, dry_run: bool, drop: bool, progress: Style) -> None:
    """Create or rebuild the index of a STORE.

    An index is for stores that are queried often, for instance by `fictc show` and editors. Filters that test words,
    lemmas or rare features then read a small part of the index instead of the whole store. The matches are the same.
    The index is in the folder of the store and can be removed at any time.

    \b
    Examples:
      fictc index stores/ewt --dry-run
      fictc index stores/ewt
      fictc index stores/ewt --drop
    """
    from runner.corpus.index_build import build_index, estimate
    from runner.corpus.store import Store
    from runner.corpus.store_index import drop_index

    corpus = Store.open(store)
    if drop:
        outcome = "index removed" if drop_index(corpus.path) else "no index to remove"
        print_message(f"{store}: {outcome}", err=True)
        return
    print_message(f"{store}: {_cost_summary(estimate(corpus), corpus.info.words)}", err=True)
    if dry_run:
        return
    with progress_bar("Indexing", progress, unit="rows") as advance:
        build_index(corpus, advance)
    index = Store.open(store).index
    assert index is not None
    index_size = f"{_format_size(index.size)}, {index.size / corpus.info.words:.1f} bytes per word"
    print_message(f"{store}: indexed, {index_size}", err=True)


def _cost_summary(cost: Estimate, words: int) -> str:
    feature_count = len(cost.rows) - 2  # the others are form and lemma
    sort_keys = ["form", "lemma", *([counted(feature_count, "feature")] if feature_count else [])]
    sort_description = f"the index is sorted by {', by '.join(sort_keys[:-1])} and by {sort_keys[-1]}"
    duration = f"{cost.seconds / 60:.0f} minutes" if cost.seconds >= 90 else f"{max(1, round(cost.seconds))} s"
    size = f"{_format_size(cost.size)} of disk ({cost.size / words:.0f} bytes per word)"
    temporary_size = f"{_format_size(cost.temporary)} more while it is built"
    return f"{sort_description}; building it takes about {duration} on one processor, {size}, and {temporary_size}"


def _format_size(size: float) -> str:
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{size / 1e3:,.1f} kB"
