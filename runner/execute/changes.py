"""Describe what a condition changed in the base corpus: removed, edited and injected sentences, and stages."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fictdsl.compiler import CompiledFilter
from runner.conditions.condition import Condition
from runner.conditions.edits import Edit
from runner.conditions.inject import UNITS
from runner.conditions.injected_text import read_units
from runner.conditions.intervention import arrangements_of, selection_of
from runner.corpus.sentence_arrays import Indices
from runner.execute.prepared import Prepared


@dataclass(frozen=True)
class InjectedLine:
    """A line of an injected text: its line number in the corpus, from 1, and whether it is a target."""

    line: int
    text: str
    target: bool


@dataclass(frozen=True)
class Changes:
    """The changes of a condition.

    `sentences` counts the lines of its corpus, `base_sentences` the sentences of the base corpus. `reordered` states
    whether those of the base corpus are in another order. `removed` are the
    sentences that the condition removes. `filters` select them: the matching sentences or, if `keeps_matches`, the
    others. If `is_random`, they are drawn at random. Sentences that have no words after the edits are also in
    `removed`. `replaced` are the sentences that `injected` lines replaced. `left_out` counts the sentences that are
    dropped to reach the common size, to balance the corpus, or because no stage contains them. `stages` are the names
    of stages with their sentences, in the order of the corpus. `removed`, `replaced` and `stages` contain sids.
    """

    sentences: int
    base_sentences: int
    reordered: bool
    removed: Indices
    filters: tuple[CompiledFilter, ...]
    keeps_matches: bool
    is_random: bool
    left_out: int
    edited: list[Edit]
    injected: list[InjectedLine]
    replaced: Indices
    stages: list[tuple[str, Indices]] = field(default_factory=list)


def changes(prepared: Prepared, name: str) -> Changes:
    """Return the changes of a condition. Its corpus must be prepared."""
    plan = prepared.plan
    condition = plan.conditions_by_corpus[name]
    folder = prepared.cache.folder(plan.corpora[name])
    sids, removed = np.load(folder / "sids.npy"), np.load(folder / "removed.npy")
    replaced = np.load(folder / "replaced.npy") if (folder / "replaced.npy").exists() else removed[:0]
    selection = selection_of(condition)
    base_sids, total = sids[sids >= 0], len(prepared.base().words)  # other sids are negative: injected lines
    is_edited = prepared.is_edited(name)[sids >= 0]
    edited_sids = set(base_sids[is_edited].tolist())
    return Changes(
        sentences=len(sids),
        base_sentences=total,
        reordered=bool((np.diff(base_sids) < 0).any()),
        removed=removed,
        filters=() if selection is None else selection.filters(condition),
        keeps_matches=selection is not None and selection.keeps,
        is_random=selection is not None and not selection.filters(condition),
        left_out=total - len(np.union1d(removed, np.concatenate([base_sids, replaced]))),
        edited=[edit for sid, edit in prepared.edits(name).items() if sid in edited_sids],
        injected=_injected(prepared, name, sids),
        replaced=replaced,
        stages=_stages(prepared, condition, base_sids),
    )


def _stages(prepared: Prepared, condition: Condition, sids: Indices) -> list[tuple[str, Indices]]:
    base = prepared.base_corpus()
    return [stage for arrangement in arrangements_of(condition) for stage in arrangement.stages(condition, sids, base)]


def _injected(prepared: Prepared, name: str, sids: Indices) -> list[InjectedLine]:
    step = prepared.plan.units.get(name)
    if step is None:
        return []
    texts, _, targets = read_units(prepared.cache.folder(step) / UNITS)
    lines = np.flatnonzero(sids < 0)  # the sid of line k of the injected text is −k − 1, so `~sid` is k
    return [
        InjectedLine(line + 1, texts[~sid], targets[~sid])
        for line, sid in zip(lines.tolist(), sids[lines].tolist(), strict=True)
    ]
