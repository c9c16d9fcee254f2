"""What commands on filters and a corpus share: the text that explains FILTER, and `--corpus`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.corpus.filters import labels, load_filters

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.corpus.store import Store

__all__ = ["HELP", "corpus_option", "labels", "load_filters", "note_missing_features"]

HELP = """\b
    FILTER is one of
      FILE               all filters of a .fict file
      FILE::name         one of them (for a family: all its members)
      FILE::name.value   one member of a family
      FOLDER             all filters of all .fict files in it
      fict15             a folder that comes with fictc; fict15/passive is one file of it"""


def corpus_option(*, required: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option `--corpus STORE`, which arrives as `corpus`."""
    return click.option(
        "--corpus",
        "-c",
        required=required,
        type=click.Path(path_type=Path),
        metavar="STORE",
        help="The corpus: a store made by `fictc import` or `fictc annotate`.",
    )


def note_missing_features(store: Store, filters: Sequence[CompiledFilter]) -> None:
    """Say on stderr which features the filters ask for that no word of the corpus has: few matches may be why."""
    for label, compiled in zip(labels(filters), filters, strict=True):
        missing = [name for name in compiled.features if name not in store.info.features]
        if missing:
            click.echo(f"note: {label} asks for {' and '.join(missing)}, which no word of this corpus has", err=True)
