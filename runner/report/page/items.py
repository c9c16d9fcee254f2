"""The pairs that the page can show, as JSON inside it."""

from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray

from runner.manifest.model import BASELINE
from runner.report.analysis.score_names import score_name
from runner.report.analysis.statistics import Analysis, full_condition
from runner.report.render import formatting
from runner.report.results.items import Paradigm
from runner.report.tables.wide import columns
from runner.score.statistics.measures import probability_delta

SHOWN, SHOWN_TARGETED = 20, 40  # pairs per paradigm on the page; items.parquet has all
BUDGET = 60_000  # numbers on the page; with more conditions and models, fewer pairs fit


def item_data(analysis: Analysis) -> str:
    """Return the pairs shown on the page as JSON: per paradigm {how, term, unit, pairs}.

    A pair is [item, notes, good, bad, scores…]. For each column there are two scores, of the good and the bad sentence,
    averaged over seeds; they are called `term` and measured in `unit`. `notes` lists special cases.

    `<`, `>` and `&` are escaped, so that no sentence can end the script element.
    """
    paradigms = analysis.results.paradigms
    across = [column for column in columns(analysis) if column[1] != BASELINE]
    room = max(5, BUDGET // max(1, 2 * len(paradigms) * max(1, len(across))))
    data = [_pairs(analysis, paradigm, across, room) for paradigm in paradigms]
    text = json.dumps({"columns": across, "paradigms": data}, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def _pairs(analysis: Analysis, paradigm: Paradigm, across: list[tuple[str, str]], room: int) -> dict[str, object]:
    deltas, sides = [], []
    for condition, model in across:
        seeds, good, bad = paradigm.scores(condition, model)
        no_scores = np.full(len(paradigm.item), np.nan)
        deltas.append(probability_delta(good, bad) if seeds else no_scores)
        sides += [good.mean(axis=0), bad.mean(axis=0)] if seeds else [no_scores, no_scores]
    selected, selection = _selected_pairs(analysis, paradigm, across, deltas, room)
    pairs = [
        [
            int(paradigm.item[i]),
            _notes(paradigm, i),
            paradigm.good[i],
            paradigm.bad[i],
            *(None if np.isnan(side[i]) else round(float(side[i]), 2) for side in sides),
        ]
        for i in selected
    ]
    scores = score_name(analysis.results.run, [paradigm.suite])
    return {"how": selection, "term": scores.term, "unit": scores.unit, "pairs": pairs}


def _notes(paradigm: Paradigm, i: int) -> str:
    """Return notes on a pair: identical after tokenisation, unknown words, ties."""
    ties = int((paradigm.score_good[:, i] == paradigm.score_bad[:, i]).sum())
    notes = _counted_note("identical to the tokenizer", paradigm.identical[:, i])
    notes += _counted_note("unknown word", paradigm.unknown[:, i])
    notes += [f"tie in {ties} of {len(paradigm.cells)}"] if ties else []
    return ", ".join(notes)


def _counted_note(note: str, cells: NDArray[np.bool_]) -> list[str]:
    """Return the note if it applies to a cell, with the number of cells if it does not apply to all."""
    count = int(cells.sum())
    return [note if count == len(cells) else f"{note} in {count} of {len(cells)}"] if count else []


def _selected_pairs(
    analysis: Analysis,
    paradigm: Paradigm,
    across: list[tuple[str, str]],
    deltas: list[np.ndarray[tuple[int, ...], np.dtype[np.float64]]],
    max_pairs: int,
) -> tuple[list[int], str]:
    """Return the indices of the pairs to show, and a description: those changed most by filtering, else the first."""
    total = len(paradigm.item)
    full = full_condition(analysis.results)
    changes = [
        np.abs(deltas[across.index((condition, model))] - deltas[across.index((full.name, model))])
        for condition, keys in analysis.targets.items()
        if full is not None and paradigm.key in keys
        for model in analysis.results.models
        if (condition, model) in across and (full.name, model) in across
    ]
    limit = min(total, max_pairs, SHOWN_TARGETED if changes else SHOWN)
    if not changes:
        return list(range(limit)), f"the first {limit} of {formatting.plural(total, 'pair')}"
    size = np.nan_to_num(np.mean(changes, axis=0), nan=-1.0)
    selected = np.argsort(-size, kind="stable")[:limit].tolist()
    return (
        selected,
        f"the {limit} of {formatting.plural(total, 'pair')} that the condition for this paradigm changed most",
    )
