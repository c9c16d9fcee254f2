"""The sentences of a condition into the lines that training reads: with what is injected, in their order."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from runner.corpus.conditions import Indices
from runner.errors import InputError
from runner.intervene.inject import inject, sequence
from runner.intervene.inserts import read_units
from runner.intervene.remove_random import ShortError
from runner.model.tokenizer import Split, split_words
from runner.steps.interventions import injecting
from runner.steps.plan import Plan


@dataclass(frozen=True)
class Scheduled:
    """A training corpus: the sentence of each line (−k − 1 for line k of an injected text), the lines, and counts.

    `replaced` are the sentences that gave way to what is injected.
    """

    sids: Indices
    lines: list[str]
    replaced: Indices
    stats: dict[str, float] = field(default_factory=dict)


def schedule(plan: Plan, name: str, sids: Indices, lines: list[str], units: Path | None) -> Scheduled:
    """Inject what a condition injects, from the table `units`, into its sentences and their lines."""
    condition = plan.resolved.condition(name)
    wanted = None if condition is None else injecting(condition, plan.resolved)
    if wanted is None or wanted.fraction is None or units is None:
        return Scheduled(sids, lines, sids[:0])
    split = plan.resolved.manifest.tokenizer.split
    texts, firsts = read_units(units)
    text_tokens = np.concatenate([[0], np.cumsum(_tokens(texts, split))])
    try:
        done = inject(
            _tokens(lines, split), np.diff(text_tokens[firsts]), wanted.fraction, replace=wanted.mode == "replace"
        )
    except ShortError as short:
        where = ("condition", plan.resolved.manifest.condition.index(condition), "inject")
        told: dict[str, Any] = {"condition": name, "wanted": short.wanted, "found": short.found}
        raise InputError(plan.resolved.draft.problem("FICT643", *where, **told)) from short
    found, replaced = sequence(sids, done, np.array(firsts))
    line_of = dict(zip(sids.tolist(), lines, strict=True))
    stats = {
        "asked_tokens": round(done.asked, 1),
        "injected_tokens": done.injected,
        "injected_units": len(done.starts),
        "injected_sentences": int((found < 0).sum()),
        "replaced_tokens": done.replaced,
        "replaced_sentences": len(replaced),
    }
    return Scheduled(found, [line_of[sid] if sid >= 0 else texts[~sid] for sid in found.tolist()], replaced, stats)


def _tokens(lines: list[str], split: Split) -> Indices:
    return np.array([len(split_words(line, split)) for line in lines], dtype=np.int64)
