"""Select the sentences of every condition, and sample all conditions to the common size."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.conditions.condition import BaseCorpus, Condition, redrawn_seed
from runner.conditions.edits import Edit
from runner.conditions.injected_text import read_units
from runner.conditions.intervention import Flags, Lines, edits_originals, keeps_originals, selection_of
from runner.conditions.samples import other_sentences
from runner.corpus.sentence_arrays import Indices, Sentences, first_by_rank, read_lines, read_values
from runner.corpus.store import Store
from runner.errors import InputError
from runner.steps.plan import RunPlan
from runner.steps.variants import sets_common_size


def document_numbers(store: Store) -> Indices:
    """Return the number of each sentence's document in a store, (sentences,).

    A document consists of the sentences with the same `source` and `doc`. A sentence outside any document is a
    document by itself.
    """
    sources, documents = read_values(store, "source"), read_values(store, "doc")
    numbers: dict[Hashable, int] = {}
    keys = (
        sid if document is None else (source, document)
        for sid, (source, document) in enumerate(zip(sources, documents, strict=True))
    )
    return np.fromiter((numbers.setdefault(key, len(numbers)) for key in keys), np.int64, len(sources))


def text_documents(numbers: Indices, kept: Indices) -> Indices:
    """Return the indices of the first lines of documents among the sentences `kept` of a text.

    `numbers` has the number of each sentence's document in the text.
    """
    return _starts(numbers[kept])


def condition_documents(numbers: Indices, sids: Indices, units: Path | None) -> Indices:
    """Return the indices of the first lines of documents in the corpus of a condition.

    `sids` has the sentence id of each line, or −k − 1 for line k of the injected text. `units` is the file of the
    injected units, or None. `numbers` has the number of each sentence's document in the base corpus. Adjacent sentences
    of one document form a document, and so does each injected unit.
    """
    first_lines = np.zeros(1, dtype=np.int64) if units is None else np.array(read_units(units)[1])
    is_base = sids >= 0
    documents = np.empty(len(sids), dtype=np.int64)
    documents[is_base] = numbers[sids[is_base]]
    documents[~is_base] = -np.searchsorted(first_lines, ~sids[~is_base], "right")
    return _starts(documents)


def _starts(documents: Indices) -> Indices:
    is_first = np.ones(len(documents), dtype=bool)
    is_first[1:] = documents[1:] != documents[:-1]
    return np.flatnonzero(is_first)


@dataclass(frozen=True)
class ConditionCorpus:
    """The sentences of a condition, before or after sampling, and how they are edited.

    `removed` are the sentences that the condition removes, and `emptied` those without words after edits. `words` is
    the number of words of each sentence of the base corpus after edits. `originals` is that of the original
    that precedes an edited sentence, or 0 if no original does. `by` is the unit of sizes. `sampled` are the sentences
    after sampling, in order.
    """

    removed: Indices
    emptied: Indices
    words: Indices  # (sentences of the base,)
    originals: Indices  # (sentences of the base,)
    by: Literal["lines", "tokens"]
    edits: Mapping[int, Edit]
    sampled: Indices | None = None

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

    def restored(self, ranks: Any, count: int) -> ConditionCorpus:
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

    def sample(self, ranks: Any, count: int) -> ConditionCorpus:
        """Return a copy with `count` lines or words of the remaining sentences sampled by rank."""
        sids = self.remaining
        return replace(self, sampled=first_by_rank(sids, ranks[sids], self.sizes[sids], count))

    def lines(self, store: Store) -> Lines:
        """Return the lines of the sampled sentences. An original that the condition keeps precedes its edited line."""
        assert self.sampled is not None
        counts = 1 + (self.originals[self.sampled] > 0)
        sids = np.repeat(self.sampled, counts)
        edited = np.ones(len(sids), dtype=bool)
        edited[(np.cumsum(counts) - counts)[counts == 2]] = False
        originals = dict(zip(self.sampled.tolist(), read_lines(store, self.sampled), strict=True))
        originals |= {sid: edit.original for sid, edit in self.edits.items() if edit.original is not None}
        texts = [
            str(self.edits[sid].text) if is_edited and sid in self.edits else originals[sid]
            for sid, is_edited in zip(sids.tolist(), edited.tolist(), strict=True)
        ]
        return Lines(sids, texts, self._lengths(sids, edited), edited, replaced=sids[:0])

    def _lengths(self, sids: Indices, is_edited: Flags) -> Indices:
        """Return the number of words of each line. `is_edited` is False for the originals of edited lines."""
        return np.where(is_edited, self.words[sids], self.originals[sids])

    def stats(self, base: Sentences, lines: Lines) -> dict[str, float]:
        """Return the size of the corpus, and counts of what interventions removed, edited and injected.

        `words` counts the words of trees after edits and the tokens of injected text.
        """
        is_base = lines.sids >= 0
        base_sids, edited = lines.sids[is_base], lines.edited[is_base]
        edits = [self.edits[sid] for sid in base_sids[edited].tolist() if sid in self.edits]
        excluded = self.excluded
        counts: dict[str, float] = {
            "sentences": len(lines.sids),
            "words": int(self._lengths(base_sids, edited).sum()) + int(lines.stats.get("injected_tokens", 0)),
            "removed_sentences": len(excluded),
            "removed_words": int(base.words[excluded].sum()),
        }
        if edits:
            counts["edited_sentences"] = len(edits)
            counts["edited_units"] = sum(edit.units for edit in edits)
            counts["edited_words"] = sum(edit.words for edit in edits)
        return counts | lines.stats


def sample_conditions(
    plan: RunPlan, base: BaseCorpus, edits: Mapping[str, Mapping[int, Edit]]
) -> dict[str, ConditionCorpus]:
    """Return the sentences of every corpus after sampling to the common size.

    `edits` are the edited sentences of each corpus. Sentences without words after edits are removed. Corpora that are
    drawn anew for a seed have a common size of their own.

    Raises InputError if a condition is empty (FICT649) or too small (FICT648), or if a control has too few sentences to
    draw from (FICT640).
    """
    check_size(plan, len(base.sentences.words), int(base.sentences.words.sum()))
    edits = {name: _effective_edits(plan, name, by_sid) for name, by_sid in edits.items()}
    sampled: dict[str, ConditionCorpus] = {}
    conditions = plan.conditions_by_corpus
    for redraw in dict.fromkeys(condition.redraw for condition in conditions.values()):
        names = [name for name, condition in conditions.items() if condition.redraw == redraw]
        sampled |= _sample_draw(plan, names, redraw, base, edits)
    return sampled


def check_size(plan: RunPlan, sentences: int, words: int) -> None:
    """Raise InputError (FICT648), once, if the base corpus is smaller than a number under `[size]`."""
    size = plan.resolved.manifest.size
    available = sentences if size.by == "lines" else words
    if isinstance(size.count, int) and available < size.count:
        raise InputError(_too_small_problem(plan, "the base corpus", available, size.count))


def _sample_draw(
    plan: RunPlan, names: list[str], redraw: int | None, base: BaseCorpus, edits: Mapping[str, Mapping[int, Edit]]
) -> dict[str, ConditionCorpus]:
    size = plan.resolved.manifest.size
    ranks = base.ranks(f"size:{redrawn_seed(size.seed, redraw)}")
    candidates = {name: _build_candidate(plan, name, base, edits.get(name, {})) for name in names}
    if empty := [name for name, candidate in candidates.items() if not len(candidate.remaining)]:
        raise InputError([_empty_condition_problem(plan, name) for name in empty])
    size_setters = [name for name in names if sets_common_size(plan.conditions_by_corpus[name])]
    count = size.count if isinstance(size.count, int) else min(candidates[name].size for name in size_setters)
    candidates |= {name: candidates[name].restored(ranks, count) for name in names if name not in size_setters}
    if small_sizes := {name: candidate.size for name, candidate in candidates.items() if candidate.size < count}:
        raise InputError([_too_small_problem(plan, name, available, count) for name, available in small_sizes.items()])
    return {name: candidate.sample(ranks, count) for name, candidate in candidates.items()}


def _build_candidate(plan: RunPlan, name: str, base: BaseCorpus, edits: Mapping[int, Edit]) -> ConditionCorpus:
    by, condition = plan.resolved.manifest.size.by, plan.conditions_by_corpus[name]
    words = _words_after_edits(base.sentences, edits)
    originals = np.zeros_like(words)
    with_originals = _edited_with_originals(condition, edits)
    originals[with_originals] = base.sentences.words[with_originals]
    selection = selection_of(condition)
    removed = base.everything()[:0] if selection is None else selection.removed_sentences(condition, base)
    return ConditionCorpus(removed, _sids_without_words(edits), words, originals, by, edits)


def _edited_with_originals(condition: Condition, edits: Mapping[int, Edit]) -> list[int]:
    """Return the edited sentences whose original is a separate line."""
    if edits_originals(condition):
        return [sid for sid, edit in edits.items() if edit.original is not None]
    return list(edits) if keeps_originals(condition) else []


def _effective_edits(plan: RunPlan, name: str, edits: Mapping[int, Edit]) -> Mapping[int, Edit]:
    """Return the edits of a condition, except those that drop a sentence whose original is kept."""
    condition = plan.conditions_by_corpus[name]
    if not keeps_originals(condition) or edits_originals(condition):
        return edits
    return {sid: edit for sid, edit in edits.items() if edit.text is not None}


def _sids_without_words(edits: Mapping[int, Edit]) -> Indices:
    return np.array([sid for sid, edit in edits.items() if edit.text is None], dtype=np.int64)


def _words_after_edits(base: Sentences, edits: Mapping[int, Edit]) -> Indices:
    words = base.words.copy()
    for sid, edit in edits.items():
        words[sid] -= edit.removed
    return words


def _empty_condition_problem(plan: RunPlan, name: str) -> Diagnostic:
    """Return FICT649 for a condition without sentences, at its first intervention, or at `[corpus]` for `full`."""
    condition = plan.conditions_by_corpus[name]
    if not condition.interventions:
        return plan.resolved.draft.problem("FICT649", "corpus", condition=name)
    return condition.problem("FICT649", condition.interventions[0].key, condition=name)


def _too_small_problem(plan: RunPlan, name: str, available: int, required: int) -> Diagnostic:
    """Return FICT648 for a condition, or the base corpus, that is smaller than the common size of the manifest."""
    unit = "sentences" if plan.resolved.manifest.size.by == "lines" else "words"
    parameters: dict[str, Any] = {"condition": name, "wanted": required, "found": available, "unit": unit}
    hint = '`count = "smallest"` is the size of the smallest condition'
    return plan.resolved.draft.problem("FICT648", "size", "count", hint=hint, **parameters)
