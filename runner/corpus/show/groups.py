"""Groups of sentences: the sentences that a filter matches or does not match, and its near misses by condition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from runner.corpus.query.matched_sentences import MatchedSentence, matched_sentences, select_sids
from runner.corpus.query.matches import matching_sids
from runner.corpus.query.near_misses import find_near_misses
from runner.corpus.store.opening import Store
from runner.counted import counted

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter


@dataclass(frozen=True)
class Group:
    """The sentences of a filter, or of its near misses without one condition.

    `names` are the names that a match may bind, and `counts` is a text with the number of sentences. For near misses,
    `left_out` is the condition that is left out, and `line` is its line in the file.
    """

    compiled: CompiledFilter
    names: tuple[str, ...]
    counts: str
    sentences: Sequence[MatchedSentence]
    left_out: str | None = None
    line: int = 0
    is_empty: bool = False  # whether no sentence belongs to it; false if they were not counted

    @property
    def title(self) -> str:
        """The name of the filter, with the condition that is left out."""
        name = self.compiled.name
        return name if self.left_out is None else f"{name}, all but {self.left_out}"


def matching_group(
    store: Store, compiled: CompiledFilter, limit: int, seed: int | None = None, *, negated: bool = False
) -> Group:
    """Return up to `limit` of the sentences that match, or that do not match if `negated`.

    These are the first sentences, or a random sample if `seed` is given.
    """
    import numpy as np

    sids = matching_sids(store, [compiled])
    if negated:
        sids = np.setdiff1d(np.arange(store.info.sentences), sids, assume_unique=True)
    selected_sids = select_sids(sids, limit, seed)
    verb = "do not match" if negated else "match"
    counts = f"{len(selected_sids):,} of {len(sids):,} sentences that {verb}"
    sentences = list(matched_sentences(store, None if negated else compiled, selected_sids))
    return Group(compiled, () if negated else compiled.names, counts, sentences)


def near_groups(store: Store, compiled: CompiledFilter, limit: int) -> Iterator[Group]:
    """Yield the first `limit` near misses for each condition that can be left out, each with its first match."""
    for miss in find_near_misses(store, compiled, limit):
        counts = (
            f"not counted in {store.limits.timeout:g} s"
            if miss.sentences is None
            else counted(miss.sentences, "sentence")
        )
        sentences = [
            replace(sentence, matches=sentence.matches[:1])
            for sentence in matched_sentences(store, miss.weaker, miss.sids)
        ]
        yield Group(
            compiled, miss.weaker.names, counts, sentences, miss.left_out, miss.line, is_empty=miss.sentences == 0
        )
