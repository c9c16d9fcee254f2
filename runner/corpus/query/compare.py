"""Two filters and a store to the sentences that one of them matches and the other does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fictdsl.compiler import CompiledFilter
from runner.corpus.query.matches import match_chunks
from runner.corpus.store.opening import Store

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Comparison:
    """The numbers of sentences, ascending: `gained` are those of the second filter alone, `lost` of the first alone."""

    matches: tuple[int, int]
    sentences: tuple[int, int]
    both: int
    gained: np.ndarray
    lost: np.ndarray


def compare(store: Store, first: CompiledFilter, second: CompiledFilter) -> Comparison:
    """What changes where `second` takes the place of `first`."""
    import numpy as np

    (one, matches_of_one), (other, matches_of_other) = (_matched(store, compiled) for compiled in (first, second))
    return Comparison(
        (matches_of_one, matches_of_other),
        (len(one), len(other)),
        len(np.intersect1d(one, other, assume_unique=True)),
        np.setdiff1d(other, one, assume_unique=True),
        np.setdiff1d(one, other, assume_unique=True),
    )


def _matched(store: Store, compiled: CompiledFilter) -> tuple[np.ndarray, int]:
    """The sentences that match, and the number of matches."""
    import numpy as np

    found, matches = [np.empty(0, np.int64)], 0
    for table in match_chunks(store, compiled.statement(layout=store.layout)):
        matches += table.num_rows
        found.append(table.column("sid").to_numpy())
    return np.unique(np.concatenate(found)), matches
