"""The pairs that the page can show, embedded in it as JSON."""

from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray

from runner.counted import counted
from runner.manifest.model import UNIGRAM
from runner.report.analysis.score_names import score_name
from runner.report.analysis.statistics import Analysis, full_condition
from runner.report.results.items import Paradigm
from runner.report.tables.wide import condition_models
from runner.score.statistics.measures import probability_delta

MAX_PAIRS, MAX_TARGETED_PAIRS = 20, 40  # per paradigm on the page; items.parquet has all pairs
MAX_NUMBERS = 60_000  # numbers embedded in the page; with more conditions and models, fewer pairs fit


def item_data(analysis: Analysis) -> str:
    """Return, as JSON, the columns (condition and model) and {how, term, unit, pairs} for each paradigm.

    A pair is [item, notes, good, bad, scores…]. It has two scores for each column, averaged over seeds: those of the
    good and of the bad sentence. `term` is their name, `unit` is their unit, and `how` states which pairs are selected.

    `<`, `>`, `&`, U+2028 and U+2029 are escaped, so that a sentence cannot end the script element.
    """
    paradigms = analysis.results.paradigms
    score_columns = [column for column in condition_models(analysis) if column[1] != UNIGRAM]
    max_pairs = max(5, MAX_NUMBERS // max(1, 2 * len(paradigms) * max(1, len(score_columns))))
    data = [_paradigm_data(analysis, paradigm, score_columns, max_pairs) for paradigm in paradigms]
    text = json.dumps({"columns": score_columns, "paradigms": data}, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def _paradigm_data(
    analysis: Analysis, paradigm: Paradigm, score_columns: list[tuple[str, str]], max_pairs: int
) -> dict[str, object]:
    deltas, sides = [], []
    for condition, model in score_columns:
        seeds, good, bad = paradigm.scores(condition, model)
        no_scores = np.full(len(paradigm.item), np.nan)
        deltas.append(probability_delta(good, bad) if seeds else no_scores)
        sides += [good.mean(axis=0), bad.mean(axis=0)] if seeds else [no_scores, no_scores]
    selected, selection = _selected_pairs(analysis, paradigm, score_columns, deltas, max_pairs)
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
    score_label = score_name(analysis.results.run, [paradigm.suite])
    return {"how": selection, "term": score_label.term, "unit": score_label.unit, "pairs": pairs}


def _notes(paradigm: Paradigm, i: int) -> str:
    """Return notes on special cases of a pair: identical after tokenisation, unknown words, ties."""
    ties = int((paradigm.score_good[:, i] == paradigm.score_bad[:, i]).sum())
    notes = _counted_note("identical after tokenisation", paradigm.identical[:, i])
    notes += _counted_note("unknown word", paradigm.unknown[:, i])
    notes += [f"tie in {ties} of {len(paradigm.cells)}"] if ties else []
    return ", ".join(notes)


def _counted_note(note: str, cells: NDArray[np.bool_]) -> list[str]:
    """Return the note if it applies to any cell, with the number of cells unless it applies to all."""
    count = int(cells.sum())
    return [note if count == len(cells) else f"{note} in {count} of {len(cells)}"] if count else []


def _selected_pairs(
    analysis: Analysis,
    paradigm: Paradigm,
    score_columns: list[tuple[str, str]],
    deltas: list[np.ndarray[tuple[int, ...], np.dtype[np.float64]]],
    max_pairs: int,
) -> tuple[list[int], str]:
    """Return the indices of the pairs to show (those that filtering changed most, or the first) and a description."""
    total = len(paradigm.item)
    full = full_condition(analysis.results)
    changes = [
        np.abs(deltas[score_columns.index((condition, model))] - deltas[score_columns.index((full.name, model))])
        for condition, keys in analysis.targets.items()
        if full is not None and paradigm.key in keys
        for model in analysis.results.models
        if (condition, model) in score_columns and (full.name, model) in score_columns
    ]
    limit = min(total, max_pairs, MAX_TARGETED_PAIRS if changes else MAX_PAIRS)
    if not changes:
        return list(range(limit)), f"the first {limit} of {counted(total, 'pair')}"
    mean_changes = np.nan_to_num(np.mean(changes, axis=0), nan=-1.0)
    selected = np.argsort(-mean_changes, kind="stable")[:limit].tolist()
    return (
        selected,
        f"the {limit} of {counted(total, 'pair')} that the condition for this paradigm changed most",
    )
