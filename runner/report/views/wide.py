"""The wide table of accuracies by paradigm, and the pairs that it can show."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runner.manifest.model import BASELINE
from runner.report.analysis.accuracies import unigram_accuracy
from runner.report.analysis.score_names import score_name
from runner.report.analysis.statistics import Accuracy, Analysis, Unit, full_condition
from runner.report.render import format as write
from runner.report.results.items import Paradigm
from runner.score.statistics.measures import probability_delta

SHOWN, SHOWN_TARGETED = 20, 40  # pairs per paradigm on the page; items.parquet has all
BUDGET = 60_000  # numbers on the page; with more conditions and models, fewer pairs fit


@dataclass(frozen=True, slots=True)
class Row:
    """One paradigm or group of the wide table. `cells` follow the columns."""

    unit: Unit
    phenomenon: str
    targeted: bool
    unigram: float | None
    pairs: int
    ties: float | None
    identical: int | None  # in any cell; so is `unknown`
    unknown: int | None
    cells: tuple[Accuracy | None, ...]
    items: int | None  # index of the paradigm's pairs in the page's data


def columns(analysis: Analysis) -> tuple[tuple[str, str], ...]:
    """Return the (condition, model) columns of the wide table, without those that have no score."""
    scored = {(condition, model) for _, condition, model in analysis.accuracies}
    return tuple(
        (condition.name, model)
        for condition in analysis.results.conditions
        for model in analysis.results.models
        if (condition.name, model) in scored
    )


def wide_rows(analysis: Analysis, suite: str) -> tuple[list[Row], list[Row]]:
    """Return the paradigms of a suite, in its order, and its groups: suite, fields and phenomena."""
    cell_keys = columns(analysis)
    targets = frozenset().union(*analysis.targets.values())
    paradigms = []
    for index, paradigm in enumerate(analysis.results.paradigms):
        if paradigm.suite != suite:
            continue
        unit = Unit("paradigm", suite, paradigm.name)
        cells = tuple(analysis.accuracies.get((unit, *column)) for column in cell_keys)
        present = [cell for cell in cells if cell is not None]
        ties = float(np.mean([cell.ties for cell in present])) if present else None
        paradigms.append(
            Row(
                unit,
                paradigm.phenomenon,
                paradigm.key in targets,
                unigram_accuracy(analysis, unit),
                len(paradigm.item),
                ties,
                int(paradigm.identical.any(axis=0).sum()),
                int(paradigm.unknown.any(axis=0).sum()),
                cells,
                index if len(paradigm.item) else None,
            )
        )
    units = dict.fromkeys(unit for unit, _, _ in analysis.accuracies if unit.suite == suite)
    groups = []
    for level in ("suite", "field", "phenomenon"):
        for unit in units:
            if unit.level == level:
                cells = tuple(analysis.accuracies.get((unit, *column)) for column in cell_keys)
                size = max((cell.pairs for cell in cells if cell is not None), default=0)
                groups.append(
                    Row(unit, "", False, unigram_accuracy(analysis, unit), size, None, None, None, cells, None)
                )
    return paradigms, groups


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
        return list(range(limit)), f"the first {limit} of {write.plural(total, 'pair')}"
    size = np.nan_to_num(np.mean(changes, axis=0), nan=-1.0)
    selected = np.argsort(-size, kind="stable")[:limit].tolist()
    return selected, f"the {limit} of {write.plural(total, 'pair')} that the condition for this paradigm changed most"
