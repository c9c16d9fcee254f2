"""Open the store or the CoNLL-U files that `--corpus` names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli.shared.messages import print_message
from runner.cli.shared.progress import counting_bar, progress_bar
from runner.corpus.store.limits import Limits
from runner.counted import counted

if TYPE_CHECKING:
    from runner.corpus.store.opening import Store


def corpus_option(*, required: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds `--corpus`. The command receives `corpus`, a tuple of paths for `open_corpus`."""
    return click.option(
        "--corpus",
        "-c",
        required=required,
        multiple=True,
        type=click.Path(path_type=Path),
        metavar="STORE",
        help="The corpus store, made by `fictc import` or `fictc annotate`; or a CoNLL-U file or a folder of them, "
        "which is imported into the cache once. Repeat the option for several stores or files, which are merged there.",
    )


def open_corpus(paths: Sequence[Path], limits: Limits) -> Store:
    """Open a store, or the cached store of CoNLL-U files; of several stores, their merged store in the cache."""
    from runner.corpus.store.opening import Store

    if len(paths) == 1 and (paths[0] / "store.json").is_file():
        return Store.open(paths[0], limits)
    from runner.corpus.ingest.cached import is_conllu

    conllu_files = [path for path in paths if is_conllu(path)]
    if len(conllu_files) == len(paths):
        return _open_conllu(paths, limits)
    stores = [Store.open(path, limits) for path in paths if path not in conllu_files]
    if len(paths) == 1:
        return stores[0]
    from runner.corpus.maintain.merge import cached_merge

    if conllu_files:
        stores.append(_open_conllu(conllu_files, limits))
    total = sum(store.info.sentences for store in stores)
    with counting_bar("Merging", unit="sentences", total=total) as count:
        return cached_merge(stores, limits, count)


def _open_conllu(paths: Sequence[Path], limits: Limits) -> Store:
    from runner.corpus.ingest.cached import cached_store

    def print_note(store: Store) -> None:
        counts = (store.info.sentences, "sentence"), (store.info.words, "word"), (len(store.info.sources), "source")
        sentences, words, sources = (counted(number, noun) for number, noun in counts)
        print_message(f"note: imported {sentences}, {words}, from {sources} into the cache", err=True)

    with progress_bar("Importing", unit="bytes") as advance:
        return cached_store(paths, limits, advance, print_note)
