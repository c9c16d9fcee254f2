"""What a server offers, by number: stores, filters, suites. Requests never name a path."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from fictdsl.shipped import shipped
from runner.corpus.store.limits import Limits
from runner.corpus.store.opening import Store

_opened: list[Store] = []


@dataclass(frozen=True)
class Offer:
    """The paths that requests refer to by their index; `save` is the folder that requests may write to."""

    stores: tuple[Path, ...]
    library: tuple[Path, ...]
    limits: Limits
    save: Path | None = None
    suite: tuple[Path, Path] | None = None  # with the store of its parses

    def title(self, number: int) -> str:
        """Return the name of a file of the library, such as `fict15/passive`."""
        path = self.library[number]
        return f"{path.parent.name}/{path.stem}"


def library() -> tuple[Path, ...]:
    """Return the files of the shipped library."""
    return tuple(sorted(path for path in shipped("filters").glob("*/*.fict") if path.parent.name != "words"))


def prepare(offer: Offer) -> None:
    """Open the stores of an offer in a worker, and run a query, so that the first one of a user does not wait."""
    import numpy as np

    from fictdsl.compiler import compile_text
    from runner.corpus.query.matched_sentences import matched_sentences
    from runner.corpus.query.ranges import growing_ranges, match_range

    _opened[:] = [Store.open(path, offer.limits) for path in offer.stores]
    (compiled,) = compile_text("fict 1\nfilter first { match { X -[root]-> Y } }\n").filters
    for store in _opened:
        for sids in islice(growing_ranges(store), 1):
            match_range(store, compiled, sids[:100])
            list(matched_sentences(store, None, np.arange(1)))


def prepare_nothing() -> None:
    """Prepare a worker that opens no store."""


def store_of(number: int) -> Store:
    """Return a store that `prepare` opened."""
    return _opened[number]
