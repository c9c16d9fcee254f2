"""Read sentences to display, with their locations, trees and matches."""

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
class MatchedSentence:
    """A sentence: its location, its original CoNLL-U, and its matches, which map names to word ids."""

    location: SentenceLocation
    block: str
    matches: Sequence[Match]

    def trees(self) -> list[Tree]:
        """Return a tree with labelled words for each match, or one tree without labels if there is no match."""
        tree_words = words(self.block)
        return [Tree(tree_words, labels(match)) for match in self.matches or [{}]]


def select_sids(sids: np.ndarray, count: int, seed: int | None) -> np.ndarray:
    """Return up to `count` of `sids`, ascending: the first ones, or a random sample if `seed` is given."""
    import numpy as np

    candidates = sids if seed is None else np.random.default_rng(seed).permutation(sids)
    return np.sort(candidates[:count])


def matched_sentences(store: Store, compiled: CompiledFilter | None, sids: np.ndarray) -> Iterator[MatchedSentence]:
    """Yield the sentences `sids` (sorted), with the matches of the filter in them, if there is a filter."""
    matches: dict[int, list[Match]] = {}
    if compiled is not None and len(sids):
        table = match_in(store, compiled, sids)
        for sid, *ids in zip(*(column.to_pylist() for column in table.columns), strict=True):
            binding = {name: word for name, word in zip(compiled.names, ids, strict=True) if word is not None}
            matches.setdefault(sid, []).append(binding)
    for location, block in zip(locate(store, sids), conllu_blocks(store, sids), strict=True):
        yield MatchedSentence(location, block, matches.get(location.sid, []))
