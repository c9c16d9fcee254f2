"""Write the scores of placebo draws to a separate file, because draws are not seeds of a condition."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from runner.execute.prepare.amounts import stats_of
from runner.execute.prepare.pair_checks import counted_pairs
from runner.execute.prepare.prepare import Preparation
from runner.readers import parse_json
from runner.report.results import RunCard
from runner.report.score_matrices import PLACEBOS, Draw, DrawScores, Placebo
from runner.score.measures import accuracy
from runner.steps.cells import Cell
from runner.steps.interventions import control_of, describe_condition
from runner.workspace import write_text


def write_placebos(preparation: Preparation, cells: Sequence[Cell], card: RunCard, folder: Path) -> None:
    """Write the placebos of a run with their draws, if any."""
    resolved = preparation.plan.resolved
    if not preparation.plan.placebos:
        return
    placebos = []
    for name in preparation.plan.placebos:
        control = control_of(name, resolved)
        assert control is not None
        draws = _draws(preparation, [cell for cell in cells if cell.condition == name], card)
        placebos.append(
            Placebo(name=name, control_of=control, what=describe_condition(name, resolved), draws=tuple(draws))
        )
    content = [placebo.model_dump() for placebo in placebos]
    write_text(folder / PLACEBOS, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def _draws(preparation: Preparation, cells: Sequence[Cell], card: RunCard) -> list[Draw]:
    cells_by_corpus: dict[str, list[Cell]] = {}
    for cell in cells:
        cells_by_corpus.setdefault(cell.variant.name, []).append(cell)
    return [_draw(preparation, cells_of_draw, card) for cells_of_draw in cells_by_corpus.values()]


def _draw(preparation: Preparation, cells: Sequence[Cell], card: RunCard) -> Draw:
    """Return the number of a draw, the seed and size of its corpus, and the accuracies and losses of its models."""
    variant = cells[0].variant
    stats = stats_of(preparation.cache, preparation.plan, variant.name)
    sizes = {name: stats[name] for name in ("sentences", "words", "removed_sentences", "removed_words")}
    models = {cell.model: _scores(preparation, cell, card) for cell in cells}
    assert variant.draw is not None
    return Draw(draw=variant.draw, seed=variant.seed, **sizes, models=models)


def _scores(preparation: Preparation, cell: Cell, card: RunCard) -> DrawScores:
    cache = preparation.cache
    text = (cache.folder(cell.perplexity) / "perplexity.json").read_text(encoding="utf-8")
    pair_suites = [suite.name for suite in preparation.plan.resolved.suites if suite.kind == "pairs"]
    accuracies: dict[str, float | None] = {}
    for suite in pair_suites:
        table = pq.read_table(cache.folder(cell.scores[suite]) / "scores.parquet")
        table = counted_pairs(preparation.plan, suite, table)
        accuracies |= {f"{suite}/{row.paradigm}": row.accuracy for row in accuracy(table, card.ties(suite))}
    return DrawScores(accuracies=accuracies, losses=_losses(parse_json(text)))


def _losses(perplexities: Mapping[str, Any]) -> dict[str, float]:
    """Return the loss of each text in nats per token."""
    return {name: value["nll"] / value["tokens"] for name, value in perplexities.items() if value["tokens"]}
