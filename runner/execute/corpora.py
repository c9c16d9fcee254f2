"""Select the sentences of every condition, and sample all conditions to the common size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.conditions.condition import BaseCorpus, redrawn_seed
from runner.conditions.corpus import ConditionCorpus
from runner.conditions.edits import Edit
from runner.conditions.intervention import edits_originals, keeps_originals, selection_of
from runner.errors import InputError
from runner.steps.plan import RunPlan
from runner.steps.variants import sets_common_size


def sample_conditions(
    plan: RunPlan, base: BaseCorpus, edits: Mapping[str, Mapping[int, Edit]]
) -> dict[str, ConditionCorpus]:
    """Return every corpus after sampling to the common size of its seed. Raises InputError (FICT640, 648, 649)."""
    check_size(plan, len(base.sentences.words), int(base.sentences.words.sum()))
    sampled: dict[str, ConditionCorpus] = {}
    conditions = plan.conditions_by_corpus
    for redraw in dict.fromkeys(condition.redraw for condition in conditions.values()):
        names = [name for name, condition in conditions.items() if condition.redraw == redraw]
        sampled |= _sample_draw(plan, names, redraw, base, edits)
    return sampled


def check_size(plan: RunPlan, sentences: int, words: int) -> None:
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
    keeps, also_edits = keeps_originals(condition), edits_originals(condition)
    if keeps and not also_edits:  # of a sentence that an edit drops, the original remains
        edits = {sid: edit for sid, edit in edits.items() if edit.text is not None}
    with_originals = [sid for sid, edit in edits.items() if keeps and not (also_edits and edit.original is None)]
    words = base.sentences.words.copy()
    for sid, edit in edits.items():
        words[sid] -= edit.removed
    originals = np.zeros_like(words)
    originals[with_originals] = base.sentences.words[with_originals]
    selection = selection_of(condition)
    removed = base.everything()[:0] if selection is None else selection.removed_sentences(condition, base)
    emptied = np.array([sid for sid, edit in edits.items() if edit.text is None], dtype=np.int64)
    return ConditionCorpus(removed, emptied, words, originals, by, edits)


def _empty_condition_problem(plan: RunPlan, name: str) -> Diagnostic:
    """Return FICT649 for a condition without sentences, at its first intervention, or at `[corpus]` for `full`."""
    condition = plan.conditions_by_corpus[name]
    if not condition.interventions:
        return plan.resolved.draft.problem("FICT649", "corpus", condition=name)
    return condition.problem("FICT649", condition.interventions[0].key, condition=name)


def _too_small_problem(plan: RunPlan, name: str, available: int, required: int) -> Diagnostic:
    unit = "sentences" if plan.resolved.manifest.size.by == "lines" else "words"
    parameters: dict[str, Any] = {"condition": name, "wanted": required, "found": available, "unit": unit}
    hint = '`count = "smallest"` is the size of the smallest condition'
    return plan.resolved.draft.problem("FICT648", "size", "count", hint=hint, **parameters)
