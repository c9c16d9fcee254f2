"""The warnings at the top of the report: reasons why results may be weaker than they appear."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runner.manifest.model import UNKNOWN_WORDS_REMEDY
from runner.report.results.items import Paradigm
from runner.report.results.results import Results

MAX_LISTED = 12  # paradigms in a list


@dataclass(frozen=True, slots=True)
class Notice:
    """A warning, and the paradigms or filters to which it applies, the worst first."""

    text: str
    subjects: tuple[str, ...] = ()


def notices(results: Results) -> tuple[Notice, ...]:
    """Return the warnings of a run, and those that follow from its filters and scores."""
    return (
        *(Notice(text) for text in results.run.warnings),
        *_empty_filters(results),
        *_flagged_pairs(results, "identical"),
        *_flagged_pairs(results, "uneven"),
        *_flagged_pairs(results, "unknown"),
    )


def _empty_filters(results: Results) -> Iterable[Notice]:
    empty_filters = [
        f"{condition.name}: {name}"
        for condition in results.conditions
        for name, matched in condition.matched.items()
        if not matched
    ]
    if empty_filters:
        yield Notice(
            "These filters match no sentence, so they do not change the training corpus of their condition.",
            tuple(empty_filters),
        )


FLAG_TEXTS = {
    "identical": "pairs have two sides that the tokenizer makes identical; they cannot be told apart",
    "uneven": "pairs have different numbers of unknown words on their two sides, "
    "which alone may decide which side scores higher",
    "unknown": "pairs contain an unknown word",
}


def _flagged_pairs(results: Results, flag: str) -> Iterable[Notice]:
    """Yield a warning about the pairs with a flag in any trained cell, with their number by paradigm."""
    paradigms = [paradigm for paradigm in results.paradigms if len(paradigm.item)]
    counts = {
        results.paradigm_label(paradigm.suite, paradigm.name): (
            int(_trained_flags(paradigm, flag).any(axis=0).sum()),
            len(paradigm.item),
        )
        for paradigm in paradigms
    }
    affected = sorted(
        ((name, count, total) for name, (count, total) in counts.items() if count),
        key=lambda entry: -entry[1] / entry[2],
    )
    if affected:
        affected_pairs, total = sum(count for _, count, _ in affected), sum(total for _, total in counts.values())
        listed = [f"{name}: {count:,} of {total:,}" for name, count, total in affected]
        unlisted = len(listed) - MAX_LISTED
        more = [f"{unlisted:,} more {'paradigm' if unlisted == 1 else 'paradigms'}"] if unlisted > 0 else []
        has_most = flag == "unknown" and any(2 * count > pairs for _, count, pairs in affected)
        remedy = f" In some paradigms, most do: {UNKNOWN_WORDS_REMEDY}." if has_most else ""
        yield Notice(f"{affected_pairs:,} of {total:,} {FLAG_TEXTS[flag]}.{remedy}", (*listed[:MAX_LISTED], *more))


def _trained_flags(paradigm: Paradigm, flag: str) -> NDArray[np.bool_]:
    trained = [i for i, cell in enumerate(paradigm.cells) if cell.seed >= 0]
    flags: NDArray[np.bool_] = getattr(paradigm, flag)
    return flags[trained]
