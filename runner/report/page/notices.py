"""The warnings at the top of the report: reasons why results may be weaker than they appear."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runner.report.results.items import Paradigm
from runner.report.results.results import Results

MAX_PLACES = 12  # paradigms in a list


@dataclass(frozen=True, slots=True)
class Notice:
    """A warning, and the paradigms or suites to which it applies, the worst first."""

    text: str
    places: tuple[str, ...] = ()


def notices(results: Results) -> tuple[Notice, ...]:
    """Return the warnings of a run, and those that follow from its filters and scores."""
    return (
        *(Notice(text) for text in results.run.warnings),
        *_empty_filters(results),
        *_pairs(results, "identical"),
        *_pairs(results, "uneven"),
        *_pairs(results, "unknown"),
    )


def _empty_filters(results: Results) -> Iterable[Notice]:
    empty = [
        f"{condition.name}: {name}"
        for condition in results.conditions
        for name, matched in condition.matched.items()
        if not matched
    ]
    if empty:
        yield Notice(
            "Filters that match no sentence: the condition's training corpus does not differ by them.", tuple(empty)
        )


TEXTS = {
    "identical": "pairs have two sides that the tokenizer makes identical; they cannot be told apart",
    "uneven": "pairs have different numbers of unknown words on their two sides, which alone may decide them",
    "unknown": "pairs contain an unknown word",
}


def _pairs(results: Results, kind: str) -> Iterable[Notice]:
    """Yield a warning on pairs of one kind in any trained cell, with the number of pairs of each affected paradigm."""
    counts = {
        paradigm.name: (int(_trained_flags(paradigm, kind).any(axis=0).sum()), len(paradigm.item))
        for paradigm in results.paradigms
        if len(paradigm.item)
    }
    affected = sorted(
        ((name, count, total) for name, (count, total) in counts.items() if count),
        key=lambda entry: -entry[1] / entry[2],
    )
    if affected:
        affected_pairs, total = sum(count for _, count, _ in affected), sum(total for _, total in counts.values())
        places = [f"{name}: {count:,} of {total:,}" for name, count, total in affected]
        more = [f"{len(places) - MAX_PLACES:,} more paradigms"] if len(places) > MAX_PLACES else []
        yield Notice(f"{affected_pairs:,} of {total:,} {TEXTS[kind]}.", (*places[:MAX_PLACES], *more))


def _trained_flags(paradigm: Paradigm, kind: str) -> NDArray[np.bool_]:
    trained = [i for i, cell in enumerate(paradigm.cells) if cell.seed >= 0]
    flags: NDArray[np.bool_] = getattr(paradigm, kind)
    return flags[trained]
