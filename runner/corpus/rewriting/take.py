"""Select the matches of a sentence that are applied, and apply them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fictdsl.compiler import CompiledRewrite
from fictdsl.semantics import operations as op
from runner.corpus.rewriting.actions import SentenceSeed, carry_out
from runner.corpus.rewriting.draft import Draft, InvalidMatchError
from runner.corpus.rewriting.stored import StoredSentence


@dataclass(frozen=True, slots=True)
class Candidate:
    """A match: the index of its rewrite, and the word bound to each name (0 if unbound)."""

    rewrite_index: int
    words: tuple[int, ...]


@dataclass(slots=True)
class RewriteCounts:
    """Counts for one rewrite: its matches by outcome, the sentences with an applied match, and unknown lemmas."""

    taken: int = 0
    overlapping: int = 0
    invalid: int = 0
    sentences: int = 0  # with a match that was applied
    unknown_lemmas: int = 0


@dataclass(slots=True)
class Counts:
    """The counts for each rewrite, and for all rewrites together."""

    rewrites: list[RewriteCounts]
    sentences: int = 0
    changed: int = 0
    dropped: int = 0
    losses: Counter[str] = field(default_factory=Counter)  # number of lost annotations, by kind


def apply_matches(
    stored: StoredSentence,
    rewrites: Sequence[CompiledRewrite],
    candidates: Iterable[Candidate],
    seed: SentenceSeed,
    counts: Counts,
) -> tuple[Draft, frozenset[str]]:
    """Apply all matches that can be applied. Return the sentence, and the adaptations that rewrites switch off.

    The adaptations are `case` (capitalisation) and `article` (*a* or *an*). Matches are tried from left to right by the
    first word of their reach (see `_reach`). Of matches with the same first word, the longer ones are tried first.
    Matches of rewrites that target sentences are tried last. A match is overlapping if its reach intersects that of an
    applied match, and invalid if its actions cannot be carried out.
    """
    draft: Draft | None = None  # after the first match that was applied
    reached = [False] * (stored.size + 2)
    as_is: frozenset[str] = frozenset()
    applied_rewrites: set[int] = set()
    for _, first, last, candidate in _in_order(stored, rewrites, candidates):
        rewrite, rewrite_counts = rewrites[candidate.rewrite_index], counts.rewrites[candidate.rewrite_index]
        if any(reached[first : last + 1]):
            rewrite_counts.overlapping += 1
            continue
        changed = Draft(stored) if draft is None else draft.copy()
        try:
            carry_out(changed, rewrite, candidate.words, seed)
        except InvalidMatchError:
            rewrite_counts.invalid += 1
            continue
        reached[first : last + 1] = [True] * (last + 1 - first)
        rewrite_counts.unknown_lemmas += changed.unknown_lemmas - (0 if draft is None else draft.unknown_lemmas)
        draft, as_is = changed, as_is | rewrite.as_is
        rewrite_counts.taken += 1
        applied_rewrites.add(candidate.rewrite_index)
    for index in applied_rewrites:
        counts.rewrites[index].sentences += 1
    return Draft(stored) if draft is None else draft, as_is


def _in_order(
    stored: StoredSentence, rewrites: Sequence[CompiledRewrite], candidates: Iterable[Candidate]
) -> list[tuple[bool, int, int, Candidate]]:
    """Return the candidates with the first and last word of their reach, in the order in which they are tried.

    Candidates without a reach are left out. If only one remains, its reach is taken to be the sentence.
    """
    with_reach = [
        candidate for candidate in candidates if _has_reach(rewrites[candidate.rewrite_index], candidate.words)
    ]
    if len(with_reach) == 1:
        return [(False, 1, stored.size, with_reach[0])]
    located = []
    for candidate in with_reach:
        rewrite = rewrites[candidate.rewrite_index]
        located.append((rewrite.targets_sentences, *_reach(stored, rewrite, candidate.words), candidate))
    return sorted(located, key=lambda entry: (entry[0], entry[1], -entry[2], entry[3].rewrite_index, entry[3].words))


def _has_reach(rewrite: CompiledRewrite, words: Sequence[int]) -> bool:
    """Return whether a match has a reach: whether it binds all names of at least one action."""
    return any(op.is_bound(targets, words) for targets in rewrite.targets)


def _reach(stored: StoredSentence, rewrite: CompiledRewrite, words: Sequence[int]) -> tuple[int, int]:
    """Return the first and last word that the actions of a match name, move, read or insert beside."""
    reached: set[int] = set()
    for targets in rewrite.targets:
        for target in targets if op.is_bound(targets, words) else ():
            ids = [words[node] for node in target.nodes]
            reached.update(stored.subtree(ids[0]) if target.kind == "subtree" else ids)
            if target.kind == "sentence":
                reached.update((1, stored.size))
    return min(reached), max(reached)
