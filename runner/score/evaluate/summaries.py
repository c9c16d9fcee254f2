"""Summarize the scores of one checkpoint, and convert the summaries to long form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from runner.score.evaluate.ratings import correlation
from runner.score.evaluate.syntaxgym import judgements
from runner.score.statistics.measures import TIE_VALUE, Ties, score_column

if TYPE_CHECKING:
    import pyarrow as pa


def summaries(table: pa.Table) -> Iterator[dict[str, Any]]:
    """Yield the summaries of a table as JSON objects.

    They are the counts and the mean score difference (`delta`) of each paradigm, the counts of each prediction, or
    Pearson's r of rated sentences.
    """
    if "region" in table.column_names:
        yield from _prediction_summaries(table)
    elif "rating" in table.column_names:
        yield {"pearson": correlation(table, None).r}
    else:
        yield from _pair_summaries(table)


def summary_values(suite: str, summary: Mapping[str, Any], ties: Ties) -> Iterator[tuple[str, str, float]]:
    """Yield the values of one summary as (benchmark, metric, value)."""
    if summary.get("pearson") is not None:
        yield suite, "pearson", summary["pearson"]
    if summary.get("paradigm") is None:
        return
    benchmark = f"{suite}/{summary['paradigm']}"
    identical = 0 if ties == "half" else summary.get("identical", 0)  # as in `measures.decisions`
    if pair_count := summary["pairs"] + identical:
        yield benchmark, "accuracy", (summary["right"] + TIE_VALUE[ties] * (summary["ties"] + identical)) / pair_count
    if summary["delta"] is not None:
        yield benchmark, "delta", summary["delta"]


def _pair_summaries(table: pa.Table) -> Iterator[dict[str, Any]]:
    good, bad = (score_column(table, name) for name in ("score_good", "score_bad"))
    paradigms = np.asarray(table.column("paradigm").to_pylist())
    identical = np.asarray(table.column("identical").to_pylist(), dtype=bool)
    for paradigm in dict.fromkeys(paradigms.tolist()):
        scored = (paradigms == paradigm) & np.isfinite(good) & np.isfinite(bad)
        counts = {"right": int((good[scored] > bad[scored]).sum()), "ties": int((good[scored] == bad[scored]).sum())}
        counts["identical"] = int(identical[paradigms == paradigm].sum())
        delta = float((good[scored] - bad[scored]).mean()) if scored.any() else None
        yield {"paradigm": paradigm, "pairs": int(scored.sum()), **counts, "delta": delta}


def _prediction_summaries(table: pa.Table) -> Iterator[dict[str, Any]]:
    by_name: dict[str, list[bool]] = {}
    for judgement in judgements(table):
        if judgement.holds is not None:
            by_name.setdefault(judgement.name, []).append(judgement.holds)
    for name, holds in by_name.items():
        yield {"paradigm": name, "pairs": len(holds), "right": sum(holds), "ties": 0, "delta": None}
