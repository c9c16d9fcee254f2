"""Select the sentences of every condition, and sample all conditions to the common size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.sentence_arrays import Indices, Sentences, first_by_rank, read_lines
from runner.corpus.store import Store
from runner.errors import InputError
from runner.intervene.edits import Edit
from runner.intervene.select_sentences import other_sentences
from runner.interventions.context import BaseCorpus, ConditionContext, redrawn_seed
from runner.interventions.intervention import Flags, Lines, selection_of
from runner.interventions.word_edit import edits_originals, keeps_originals
from runner.steps.plan import Plan
from runner.steps.variants import sets_common_size


@dataclass(frozen=True)
class SampledCondition:
    """The sentences of a condition after sampling, the sentences removed before sampling, and the edits.

    `words` is the number of words of each sentence of the base corpus after edits. `originals` is the number of words
    of the original that precedes an edited sentence, or 0 if no original does.
    """

    selected: Indices
    removed: Indices
    edits: Mapping[int, Edit]
    words: Indices  # (sentences of the base,)
    originals: Indices  # (sentences of the base,)

    def lines(self, store: Store) -> Lines:
        """Return the lines of the selected sentences. An original that the condition keeps precedes its edited line."""
        counts = 1 + (self.originals[self.selected] > 0)
        sids = np.repeat(self.selected, counts)
        edited = np.ones(len(sids), dtype=bool)
        edited[(np.cumsum(counts) - counts)[counts == 2]] = False
        originals = dict(zip(self.selected.tolist(), read_lines(store, self.selected), strict=True))
        originals |= {sid: edit.original for sid, edit in self.edits.items() if edit.original is not None}
        texts = [
            str(self.edits[sid].text) if is_edited and sid in self.edits else originals[sid]
            for sid, is_edited in zip(sids.tolist(), edited.tolist(), strict=True)
        ]
        return Lines(sids, texts, self.lengths(sids, edited), edited, replaced=sids[:0])

    def lengths(self, sids: Indices, is_edited: Flags) -> Indices:
        """Return the number of words of each line. `is_edited` is False for the originals of edited lines."""
        return np.where(is_edited, self.words[sids], self.originals[sids])

    def stats(self, base: Sentences, lines: Lines) -> dict[str, float]:
        """Return the size of the corpus, and counts of what interventions removed, edited and injected.

        `words` counts the words of trees after edits and the tokens of injected text.
        """
        is_base = lines.sids >= 0
        base_sids, edited = lines.sids[is_base], lines.edited[is_base]
        edits = [self.edits[sid] for sid in base_sids[edited].tolist() if sid in self.edits]
        counts: dict[str, float] = {
            "sentences": len(lines.sids),
            "words": int(self.lengths(base_sids, edited).sum()) + int(lines.stats.get("injected_tokens", 0)),
            "removed_sentences": len(self.removed),
            "removed_words": int(base.words[self.removed].sum()),
        }
        if edits:
            counts["edited_sentences"] = len(edits)
            counts["edited_units"] = sum(edit.units for edit in edits)
            counts["edited_words"] = sum(edit.words for edit in edits)
        return counts | lines.stats


@dataclass(frozen=True)
class Candidate:
    """A corpus before sampling: the removed sentences, those without words after edits, and the lengths of sentences.

    `words` and `originals` are as in `SampledCondition`. `by` is the unit of sizes, `lines` or `tokens`.
    """

    removed: Indices
    emptied: Indices
    words: Indices  # (sentences of the base,)
    originals: Indices  # (sentences of the base,)
    by: str

    @property
    def excluded(self) -> Indices:
        """The sentences that are not in the corpus."""
        return np.union1d(self.removed, self.emptied)

    @property
    def remaining(self) -> Indices:
        """The sentences that may be sampled."""
        return other_sentences(np.arange(len(self.words), dtype=np.int64), self.excluded)

    @property
    def sizes(self) -> Indices:
        """The number of lines or words of each sentence. A sentence and its original are kept or removed together."""
        return 1 + (self.originals > 0) if self.by == "lines" else self.words + self.originals

    @property
    def size(self) -> int:
        """The number of lines or words that remain."""
        return int(self.sizes[self.remaining].sum())

    def restored(self, ranks: Any, count: int) -> Candidate:
        """Return a copy with removed sentences put back, by rank, until its size is at least `count`.

        Sentences without words stay removed.
        """
        missing = count - self.size
        if missing <= 0:
            return self
        restorable = np.setdiff1d(self.removed, self.emptied)
        order = restorable[np.argsort(ranks[restorable], kind="stable")]
        restored_count = int(np.searchsorted(np.cumsum(self.sizes[order]), missing)) + 1
        return replace(self, removed=np.setdiff1d(self.removed, order[:restored_count]))


def sample_conditions(
    plan: Plan, base: BaseCorpus, edits: Mapping[str, Mapping[int, Edit]]
) -> dict[str, SampledCondition]:
    """Return the sentences of every corpus after sampling to the common size.

    `edits` are the edited sentences of each corpus. Sentences without words after edits are removed. Corpora that are
    drawn anew for a seed have a common size of their own.

    Raises InputError if a condition is empty (FICT649) or too small (FICT648), or if a control has too few sentences to
    draw from (FICT640).
    """
    check_size(plan, len(base.sentences.words), int(base.sentences.words.sum()))
    edits = {name: _effective_edits(plan, name, by_sid) for name, by_sid in edits.items()}
    sampled: dict[str, SampledCondition] = {}
    for redraw in dict.fromkeys(variant.redraw for variant in plan.variants.values()):
        names = [name for name, variant in plan.variants.items() if variant.redraw == redraw]
        sampled |= _sample_draw(plan, names, redraw, base, edits)
    return sampled


def check_size(plan: Plan, sentences: int, words: int) -> None:
    """Raise InputError (FICT648), once, if the base corpus is smaller than a number under `[size]`."""
    size = plan.resolved.manifest.size
    available = sentences if size.by == "lines" else words
    if isinstance(size.count, int) and available < size.count:
        raise InputError(_too_small_problem(plan, "the base corpus", available, size.count))


def _sample_draw(
    plan: Plan, names: list[str], redraw: int | None, base: BaseCorpus, edits: Mapping[str, Mapping[int, Edit]]
) -> dict[str, SampledCondition]:
    size = plan.resolved.manifest.size
    ranks = base.ranks(f"size:{redrawn_seed(size.seed, redraw)}")
    candidates = {name: _build_candidate(plan, name, base, edits.get(name, {})) for name in names}
    if empty := [name for name, candidate in candidates.items() if not len(candidate.remaining)]:
        raise InputError([_empty_condition_problem(plan, name) for name in empty])
    size_setters = [name for name in names if sets_common_size(plan.variants[name], plan.resolved)]
    count = size.count if isinstance(size.count, int) else min(candidates[name].size for name in size_setters)
    candidates |= {name: candidates[name].restored(ranks, count) for name in names if name not in size_setters}
    if small_sizes := {name: candidate.size for name, candidate in candidates.items() if candidate.size < count}:
        raise InputError([_too_small_problem(plan, name, available, count) for name, available in small_sizes.items()])
    return {name: _sample(candidate, ranks, count, edits.get(name, {})) for name, candidate in candidates.items()}


def _build_candidate(plan: Plan, name: str, base: BaseCorpus, edits: Mapping[int, Edit]) -> Candidate:
    by, context, words = plan.resolved.manifest.size.by, plan.context(name), _words_after_edits(base.sentences, edits)
    originals = np.zeros_like(words)
    with_originals = [] if context is None else _edited_with_originals(context, edits)
    originals[with_originals] = base.sentences.words[with_originals]
    return Candidate(_removed_sids(plan, name, base), _sids_without_words(edits), words, originals, by)


def _edited_with_originals(context: ConditionContext, edits: Mapping[int, Edit]) -> list[int]:
    """Return the edited sentences whose original is a separate line."""
    if edits_originals(context):
        return [sid for sid, edit in edits.items() if edit.original is not None]
    return list(edits) if keeps_originals(context) else []


def _effective_edits(plan: Plan, name: str, edits: Mapping[int, Edit]) -> Mapping[int, Edit]:
    """Return the edits of a condition, except those that drop a sentence whose original is kept."""
    context = plan.context(name)
    if context is None or not keeps_originals(context) or edits_originals(context):
        return edits
    return {sid: edit for sid, edit in edits.items() if edit.text is not None}


def _sample(candidate: Candidate, ranks: Any, count: int, edits: Mapping[int, Edit]) -> SampledCondition:
    sids = candidate.remaining
    sids = first_by_rank(sids, ranks[sids], candidate.sizes[sids], count)
    return SampledCondition(sids, candidate.excluded, edits, candidate.words, candidate.originals)


def _sids_without_words(edits: Mapping[int, Edit]) -> Indices:
    return np.array([sid for sid, edit in edits.items() if edit.text is None], dtype=np.int64)


def _words_after_edits(base: Sentences, edits: Mapping[int, Edit]) -> Indices:
    """Return the number of words of each sentence after edits."""
    words = base.words.copy()
    for sid, edit in edits.items():
        words[sid] -= edit.removed
    return words


def _removed_sids(plan: Plan, name: str, base: BaseCorpus) -> Indices:
    """Return the sentences that a condition removes."""
    context = plan.context(name)
    selection = None if context is None else selection_of(context)
    if context is None or selection is None:
        return base.everything()[:0]
    return selection.removed_sentences(context, base)


def _empty_condition_problem(plan: Plan, name: str) -> Diagnostic:
    """Return FICT649 for a condition without sentences, at its first intervention, or at `[corpus]` for `full`."""
    condition = plan.resolved.condition(plan.variants[name].condition)
    if condition is None:
        return plan.resolved.draft.problem("FICT649", "corpus", condition=name)
    key_path = ("condition", plan.resolved.manifest.condition.index(condition), condition.interventions[0].key)
    return plan.resolved.draft.problem("FICT649", *key_path, condition=name)


def _too_small_problem(plan: Plan, name: str, available: int, required: int) -> Diagnostic:
    """Return FICT648 for a condition, or the base corpus, that is smaller than the common size of the manifest."""
    unit = "sentences" if plan.resolved.manifest.size.by == "lines" else "words"
    parameters: dict[str, Any] = {"condition": name, "wanted": required, "found": available, "unit": unit}
    hint = '`count = "smallest"` is the size of the smallest condition'
    return plan.resolved.draft.problem("FICT648", "size", "count", hint=hint, **parameters)
