"""What commands on filters and a corpus share: the text that explains FILTER, and `--corpus`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from runner.corpus.filters import labels, load_filters

__all__ = ["HELP", "corpus_option", "labels", "load_filters"]

HELP = """\b
    FILTER is one of
      FILE               all filters of a .fict file
      FILE::name         one of them (for a family: all its members)
      FILE::name.value   one member of a family
      FOLDER             all filters of all .fict files in it"""


def corpus_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option `--corpus STORE`, which arrives as `corpus`."""
    return click.option(
        "--corpus",
        "-c",
        required=True,
        type=click.Path(path_type=Path),
        metavar="STORE",
        help="The corpus: a store made by `fictc import` or `fictc annotate`.",
    )(command)
