"""A filter and a store to sentences that people look at: which ones, where they stand, their trees, their matches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fictdsl.draw.tree import Tree, labels, words
from runner.corpus.query.matches import match_in
from runner.corpus.sentences.export import conllu_blocks
from runner.corpus.sentences.lookup import SentenceLocation, locate
from runner.corpus.store.opening import Store

if TYPE_CHECKING:
    import numpy as np

    from fictdsl.compiler import CompiledFilter

Match = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Found:
    """A sentence: its place, its CoNLL-U as it was read, the word ids of each match (none where it has none)."""

    place: SentenceLocation
    block: str
    matches: Sequence[Match]

    def trees(self) -> list[Tree]:
        """The tree once for each match, its words labelled; or once, with nothing bound."""
        read = words(self.block)
        return [Tree(read, labels(match)) for match in self.matches or [{}]]


def chosen(sids: np.ndarray, number: int, seed: int | None) -> np.ndarray:
    """`number` of the sentences, in corpus order: the first ones, or with a seed any."""
    import numpy as np

    order = sids if seed is None else np.random.default_rng(seed).permutation(sids)
    return np.sort(order[:number])


def find(store: Store, compiled: CompiledFilter | None, sids: np.ndarray) -> Iterator[Found]:
    """These sentences, in corpus order, with the matches of the filter in them."""
    matches: dict[int, list[Match]] = {}
    if compiled is not None and len(sids):
        table = match_in(store, compiled.statement(layout=store.layout), sids)
        for sid, *ids in zip(*(column.to_pylist() for column in table.columns), strict=True):
            bound = {name: word for name, word in zip(compiled.names, ids, strict=True) if word is not None}
            matches.setdefault(sid, []).append(bound)
    for place, block in zip(locate(store, sids), conllu_blocks(store, sids), strict=True):
        yield Found(place, block, matches.get(place.sid, []))
