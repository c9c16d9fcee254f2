"""Accuracies and items to what the page shows by paradigm: a wide table, and a bounded list of pairs to look at."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runner.manifest.model import BASELINE
from runner.report.analysis.accuracies import baseline
from runner.report.analysis.score_names import score_name
from runner.report.analysis.statistics import Accuracy, Analysis, Unit, full_of
from runner.report.render import format as write
from runner.report.results.items import Paradigm
from runner.score.statistics.measures import probability_delta

SHOWN, SHOWN_TARGETED = 20, 40  # pairs a paradigm on the page; all of them are in items.parquet
BUDGET = 60_000  # numbers on the page over all paradigms; more conditions and models mean fewer pairs


@dataclass(frozen=True, slots=True)
class Row:
    """One paradigm (or group) of the wide table; `cells` follow the columns."""

    unit: Unit
    phenomenon: str
    targeted: bool
    unigram: float | None
    pairs: int
    ties: float | None
    identical: int | None  # in any cell, and `unknown` too
    unknown: int | None
    cells: tuple[Accuracy | None, ...]
    items: int | None  # index of the paradigm's pairs in the page's data


def columns(analysis: Analysis) -> tuple[tuple[str, str], ...]:
    """(condition, model) of the wide table, conditions first, those without any score left out."""
    scored = {(condition, model) for _, condition, model in analysis.accuracies}
    return tuple(
        (condition.name, model)
        for condition in analysis.results.conditions
        for model in analysis.results.models
        if (condition.name, model) in scored
    )


def wide_rows(analysis: Analysis, suite: str) -> tuple[list[Row], list[Row]]:
    """Paradigms of a suite, in its own order, and its groups: phenomena, fields, the mean."""
    across = columns(analysis)
    aimed = frozenset().union(*analysis.targets.values())
    paradigms = []
    for index, paradigm in enumerate(analysis.results.paradigms):
        if paradigm.suite != suite:
            continue
        unit = Unit("paradigm", suite, paradigm.name)
        cells = tuple(analysis.accuracies.get((unit, *column)) for column in across)
        present = [cell for cell in cells if cell is not None]
        ties = float(np.mean([cell.ties for cell in present])) if present else None
        paradigms.append(
            Row(
                unit,
                paradigm.phenomenon,
                paradigm.key in aimed,
                baseline(analysis, unit),
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
                cells = tuple(analysis.accuracies.get((unit, *column)) for column in across)
                size = max((cell.pairs for cell in cells if cell is not None), default=0)
                groups.append(Row(unit, "", False, baseline(analysis, unit), size, None, None, None, cells, None))
    return paradigms, groups


def item_data(analysis: Analysis) -> str:
    """JSON for the drill-down: a list parallel to the paradigms of {how, term, unit, pairs}.

    A pair is [item, notes, good, bad, scores…]. Scores are those of the good and the bad sentence, which are called
    `term` and measured in `unit`, means over seeds, two a column; `notes` say what is special.

    `<`, `>` and `&` are written as escapes, so that no sentence can end the script element it stands in.
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
        nothing = np.full(len(paradigm.item), np.nan)
        deltas.append(probability_delta(good, bad) if seeds else nothing)
        sides += [good.mean(axis=0), bad.mean(axis=0)] if seeds else [nothing, nothing]
    chosen, how = _choice(analysis, paradigm, across, deltas, room)
    pairs = [
        [
            int(paradigm.item[i]),
            _notes(paradigm, i),
            paradigm.good[i],
            paradigm.bad[i],
            *(None if np.isnan(side[i]) else round(float(side[i]), 2) for side in sides),
        ]
        for i in chosen
    ]
    scores = score_name(analysis.results.run, [paradigm.suite])
    return {"how": how, "term": scores.term, "unit": scores.unit, "pairs": pairs}


def _notes(paradigm: Paradigm, i: int) -> str:
    """What to know of a pair: identical after tokenisation, an unknown word in it, how many models are undecided."""
    ties = int((paradigm.score_good[:, i] == paradigm.score_bad[:, i]).sum())
    found = _where("identical to the tokenizer", paradigm.identical[:, i])
    found += _where("unknown word", paradigm.unknown[:, i])
    found += [f"tie in {ties} of {len(paradigm.cells)}"] if ties else []
    return ", ".join(found)


def _where(note: str, cells: NDArray[np.bool_]) -> list[str]:
    """The note where it is true of a cell; where not of all, of how many."""
    count = int(cells.sum())
    return [note if count == len(cells) else f"{note} in {count} of {len(cells)}"] if count else []


def _choice(
    analysis: Analysis,
    paradigm: Paradigm,
    across: list[tuple[str, str]],
    deltas: list[np.ndarray[tuple[int, ...], np.dtype[np.float64]]],
    room: int,
) -> tuple[list[int], str]:
    """The pairs to show: of a targeted paradigm those that filtering changed most, else the first."""
    total = len(paradigm.item)
    full = full_of(analysis.results)
    changes = [
        np.abs(deltas[across.index((condition, model))] - deltas[across.index((full.name, model))])
        for condition, keys in analysis.targets.items()
        if full is not None and paradigm.key in keys
        for model in analysis.results.models
        if (condition, model) in across and (full.name, model) in across
    ]
    shown = min(total, room, SHOWN_TARGETED if changes else SHOWN)
    if not changes:
        return list(range(shown)), f"the first {shown} of {write.plural(total, 'pair')}"
    size = np.nan_to_num(np.mean(changes, axis=0), nan=-1.0)
    chosen = np.argsort(-size, kind="stable")[:shown].tolist()
    return chosen, f"the {shown} of {write.plural(total, 'pair')} that the condition for this paradigm changed most"
