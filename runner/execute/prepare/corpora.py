"""The base corpus and the matches of filters to the sentences of every condition, all cut to the common size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.sentences.arrays import Sentences, read_lines
from runner.corpus.sentences.common_size import Indices, first_by_rank, sentence_ranks
from runner.corpus.store.opening import Store
from runner.errors import InputError
from runner.execute.prepare.schedule import Scheduled
from runner.intervene.edits import Edit
from runner.intervene.remove_random import ShortError, random_sample_like
from runner.intervene.select_sentences import matched_sentences, other_sentences
from runner.manifest.condition import CONTROLLED, Condition
from runner.steps.interventions import selection_filters
from runner.steps.plan import Plan


@dataclass(frozen=True)
class Drawn:
    """A condition: the sentences that it has, those taken out before the common size, and texts that were edited.

    `words` are how many words edits left of every sentence of the base corpus.
    """

    sids: Indices
    removed: Indices
    edits: Mapping[int, Edit]
    words: Indices  # (sentences of the base,)

    def stats(self, base: Sentences, made: Scheduled) -> dict[str, float]:
        """How large the corpus is, and how much was done to it.

        `words` are those of the trees that are left, and the tokens of what is injected.
        """
        own = made.sids[made.sids >= 0]
        edits = [self.edits[sid] for sid in own.tolist() if sid in self.edits]
        counts: dict[str, float] = {
            "sentences": len(made.sids),
            "words": int(self.words[own].sum()) + int(made.stats.get("injected_tokens", 0)),
            "removed_sentences": len(self.removed),
            "removed_words": int(base.words[self.removed].sum()),
        }
        if edits:
            counts["edited_sentences"] = len(edits)
            counts["edited_units"] = sum(edit.units for edit in edits)
            counts["edited_words"] = sum(edit.words for edit in edits)
        return counts | made.stats

    def lines(self, store: Store) -> Iterator[str]:
        """The text of the corpus, a sentence each."""
        for sid, line in zip(self.sids.tolist(), read_lines(store, self.sids), strict=True):
            edit = self.edits.get(sid)
            yield line if edit is None else str(edit.text)


def draw(
    plan: Plan, base: Sentences, matched: Callable[[str], Indices], edits: Mapping[str, Mapping[int, Edit]]
) -> dict[str, Drawn]:
    """The sentences of every condition.

    `matched` gives those that a filter matches, by the filter's key; `edits` are the changed ones of each condition
    that has any. A sentence of which an edit leaves no word is taken out.
    """
    resolved, everything = plan.resolved, np.arange(len(base.words), dtype=np.int64)

    def by_filters(name: str) -> Indices:
        key, filters = selection_filters(resolved, name)
        found = matched_sentences(everything, [matched(item.key) for item in filters])
        return other_sentences(everything, found) if key == "keep" else found

    def removed(name: str) -> Indices:
        condition = resolved.condition(name)
        if condition is None or condition.remove_random is None:
            return by_filters(name)
        return _by_chance(plan, condition, base, by_filters(condition.remove_random))

    taken = {name: np.union1d(removed(name), _gone(edits.get(name, {}))) for name in plan.corpora}
    words = {name: _words(base, edits.get(name, {})) for name in plan.corpora}
    kept = {name: other_sentences(everything, taken[name]) for name in taken}
    size = resolved.manifest.size
    available = {name: len(k) if size.by == "lines" else int(words[name][k].sum()) for name, k in kept.items()}
    if empty := [name for name, found in kept.items() if not len(found)]:
        raise InputError([_emptied(plan, name) for name in empty])
    count = size.count if isinstance(size.count, int) else min(available.values())
    if short := {name: found for name, found in available.items() if found < count}:
        raise InputError([_size_short(plan, name, found, count) for name, found in short.items()])
    ranks = sentence_ranks(f"size:{size.seed}", base.sources, base.numbers)
    return {
        name: Drawn(
            first_by_rank(sids, ranks[sids], words[name][sids], size.by, count),
            taken[name],
            edits.get(name, {}),
            words[name],
        )
        for name, sids in kept.items()
    }


def _gone(edits: Mapping[int, Edit]) -> Indices:
    return np.array([sid for sid, edit in edits.items() if edit.text is None], dtype=np.int64)


def _words(base: Sentences, edits: Mapping[int, Edit]) -> Indices:
    """The words of every sentence after edits."""
    words = base.words.copy()
    for sid, edit in edits.items():
        words[sid] -= edit.removed
    return words


def _by_chance(plan: Plan, condition: Condition, base: Sentences, like: Indices) -> Indices:
    ranks = sentence_ranks(f"remove-random:{condition.seed}", base.sources, base.numbers)
    everything = np.arange(len(base.words), dtype=np.int64)
    try:
        return random_sample_like(everything, like, ranks, base.words, condition.by, disjoint=condition.disjoint)
    except ShortError as short:
        raise InputError(control_short(plan, condition, short)) from short


def _emptied(plan: Plan, name: str) -> Diagnostic:
    """That nothing is left of a condition, at what was done to it; of a base corpus without sentences, at its files."""
    condition = plan.resolved.condition(name)
    if condition is None:
        return plan.resolved.draft.problem("FICT649", "corpus", condition=name)
    where = ("condition", plan.resolved.manifest.condition.index(condition), condition.interventions[0])
    return plan.resolved.draft.problem("FICT649", *where, condition=name)


def _size_short(plan: Plan, name: str, found: int, wanted: int) -> Diagnostic:
    """That a condition has less than the common size that the manifest asks for."""
    unit = "sentences" if plan.resolved.manifest.size.by == "lines" else "words"
    told: dict[str, Any] = {"condition": name, "wanted": wanted, "found": found, "unit": unit}
    hint = '`count = "smallest"` is the size of the smallest condition'
    return plan.resolved.draft.problem("FICT648", "size", "count", hint=hint, **told)


def control_short(plan: Plan, condition: Condition, short: ShortError) -> Diagnostic:
    """That there is too little left to draw a control from, at its key in the manifest."""
    key = next(key for key in CONTROLLED if key in condition.interventions)
    where = ("condition", plan.resolved.manifest.condition.index(condition), key)
    told: dict[str, Any] = {"condition": condition.name, "like": condition.control_of}
    told |= {"wanted": short.requested, "found": short.available, "unit": short.unit}
    return plan.resolved.draft.problem("FICT640", *where, **told)
