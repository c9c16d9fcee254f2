"""Scores of one model to what `fictc score` answers, by kind of suite."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from runner.cli.score_formats import Answer
from runner.score.measures import ParadigmAccuracy, accuracy, mean
from runner.score.table import as_unigram

if TYPE_CHECKING:
    import pyarrow as pa

    from runner.score.convention import Convention

COUNTS = ("pairs", "ties", "identical", "unknown")


def pairs(table: pa.Table, convention: Convention) -> Answer:
    """An accuracy a paradigm, over the applicable pairs, beside that of word frequencies where these are known."""
    baseline: dict[str, float | None] = {}
    if table.column("unigram_good").null_count < table.num_rows:
        found = accuracy(as_unigram(table, convention.normalise), convention.ties)
        baseline = {row.paradigm: row.accuracy for row in found}
    records = [_record(row, baseline.get(row.paradigm)) for row in accuracy(table, convention.ties)]
    means = {name: mean(record[name] for record in records) for name in ("accuracy", "unigram")}
    sums = {name: sum(record[name] for record in records) for name in COUNTS}
    last = {"paradigm": "mean of paradigms", "phenomenon": "", **means, **sums}
    return Answer("paradigms", records, last, {"mean": means})


def _record(row: ParadigmAccuracy, unigram: float | None) -> dict[str, Any]:
    found = asdict(row)
    names = ("paradigm", "phenomenon", "accuracy")
    return {**{name: found[name] for name in names}, "unigram": unigram, **{name: found[name] for name in COUNTS}}
