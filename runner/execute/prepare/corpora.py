"""Select the sentences of every condition, and sample all conditions to the common size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.sentences.arrays import Sentences, read_lines
from runner.corpus.sentences.common_size import Indices, first_by_rank
from runner.corpus.store.opening import Store
from runner.errors import InputError
from runner.intervene.edits import Edit
from runner.intervene.select_sentences import other_sentences
from runner.interventions.intervention import Lines, selection_of
from runner.interventions.subject import BaseCorpus
from runner.steps.plan import Plan


@dataclass(frozen=True)
class SampledCondition:
    """The sentences of a condition after sampling, those removed before it, and the edits.

    `words` is the number of words of each sentence of the base corpus after edits.
    """

    sids: Indices
    removed: Indices
    edits: Mapping[int, Edit]
    words: Indices  # (sentences of the base,)

    def stats(self, base: Sentences, lines: Lines) -> dict[str, float]:
        """Return the size of the corpus and the counts of interventions.

        `words` are the words of trees after edits and the tokens of injected text.
        """
        base_sids = lines.sids[lines.sids >= 0]
        edits = [self.edits[sid] for sid in base_sids.tolist() if sid in self.edits]
        counts: dict[str, float] = {
            "sentences": len(lines.sids),
            "words": int(self.words[base_sids].sum()) + int(lines.stats.get("injected_tokens", 0)),
            "removed_sentences": len(self.removed),
            "removed_words": int(base.words[self.removed].sum()),
        }
        if edits:
            counts["edited_sentences"] = len(edits)
            counts["edited_units"] = sum(edit.units for edit in edits)
            counts["edited_words"] = sum(edit.words for edit in edits)
        return counts | lines.stats

    def texts(self, store: Store) -> Iterator[str]:
        """Yield the texts of the sentences, on one line each."""
        for sid, line in zip(self.sids.tolist(), read_lines(store, self.sids), strict=True):
            edit = self.edits.get(sid)
            yield line if edit is None else str(edit.text)


def sample_conditions(
    plan: Plan, base: BaseCorpus, edits: Mapping[str, Mapping[int, Edit]]
) -> dict[str, SampledCondition]:
    """Return the sentences of every condition, sampled to the common size.

    `edits` are the edited sentences of each condition. Sentences without words after edits are removed.

    Raises InputError if a condition is empty (FICT649) or too small (FICT648), or if a control has too few sentences to
    draw from (FICT640).
    """
    resolved, everything, sentences = plan.resolved, base.everything(), base.sentences
    removals = {name: np.union1d(_removed(plan, name, base), _emptied(edits.get(name, {}))) for name in plan.corpora}
    words = {name: _words(sentences, edits.get(name, {})) for name in plan.corpora}
    remaining = {name: other_sentences(everything, sids) for name, sids in removals.items()}
    size = resolved.manifest.size
    available = {
        name: len(sids) if size.by == "lines" else int(words[name][sids].sum()) for name, sids in remaining.items()
    }
    if empty := [name for name, sids in remaining.items() if not len(sids)]:
        raise InputError([_empty_condition(plan, name) for name in empty])
    count = size.count if isinstance(size.count, int) else min(available.values())
    if short := {name: number for name, number in available.items() if number < count}:
        raise InputError([_too_small(plan, name, number, count) for name, number in short.items()])
    ranks = base.ranks(f"size:{size.seed}")
    return {
        name: SampledCondition(
            first_by_rank(sids, ranks[sids], words[name][sids], size.by, count),
            removals[name],
            edits.get(name, {}),
            words[name],
        )
        for name, sids in remaining.items()
    }


def _emptied(edits: Mapping[int, Edit]) -> Indices:
    return np.array([sid for sid, edit in edits.items() if edit.text is None], dtype=np.int64)


def _words(base: Sentences, edits: Mapping[int, Edit]) -> Indices:
    """Return the number of words of each sentence after edits."""
    words = base.words.copy()
    for sid, edit in edits.items():
        words[sid] -= edit.removed
    return words


def _removed(plan: Plan, name: str, base: BaseCorpus) -> Indices:
    """Return the sentences that a condition removes."""
    subject = plan.resolved.subject(name)
    selection = None if subject is None else selection_of(subject)
    if subject is None or selection is None:
        return base.everything()[:0]
    return selection.removed(subject, base)


def _empty_condition(plan: Plan, name: str) -> Diagnostic:
    """Return FICT649 for a condition without sentences, at its first intervention, or at `[corpus]` for `full`."""
    condition = plan.resolved.condition(name)
    if condition is None:
        return plan.resolved.draft.problem("FICT649", "corpus", condition=name)
    key_path = ("condition", plan.resolved.manifest.condition.index(condition), condition.interventions[0].key)
    return plan.resolved.draft.problem("FICT649", *key_path, condition=name)


def _too_small(plan: Plan, name: str, available: int, required: int) -> Diagnostic:
    """Return FICT648 for a condition that is smaller than the common size of the manifest."""
    unit = "sentences" if plan.resolved.manifest.size.by == "lines" else "words"
    parameters: dict[str, Any] = {"condition": name, "wanted": required, "found": available, "unit": unit}
    hint = '`count = "smallest"` is the size of the smallest condition'
    return plan.resolved.draft.problem("FICT648", "size", "count", hint=hint, **parameters)
