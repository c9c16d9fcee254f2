"""Scores of one model to what `fictc score` answers, by kind of suite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from runner.cli.results.score_formats import Answer
from runner.score.evaluate.ratings import correlation
from runner.score.evaluate.syntaxgym import outcomes
from runner.score.scoring.table import as_unigram
from runner.score.statistics.measures import ParadigmAccuracy, accuracy, mean
from runner.score.suites.winobias import Difference, differences

if TYPE_CHECKING:
    import pyarrow as pa

    from runner.score.scoring.convention import Convention

DIFFERENCE = ("type", "split", "gender", "delta", "se", "pro", "pairs")
COUNTS = ("pairs", "ties", "identical", "unknown")


def answer(table: pa.Table, convention: Convention) -> Answer:
    """What is told of a table of scores, whatever its suite was."""
    if "region" in table.column_names:
        return predictions(table)
    if "rating" in table.column_names:
        return sentences(table, convention)
    found = differences(table)
    return stereotypes(found) if found else pairs(table, convention)


def pairs(table: pa.Table, convention: Convention) -> Answer:
    """An accuracy a paradigm, over the applicable pairs, beside that of word frequencies where these are known."""
    words = _by_words(table, convention, "unigram_good")
    baseline = {} if words is None else {row.paradigm: row.accuracy for row in accuracy(words, convention.ties)}
    records = [_record(row, baseline.get(row.paradigm)) for row in accuracy(table, convention.ties)]
    means = {name: mean(record[name] for record in records) for name in ("accuracy", "unigram")}
    sums = {name: sum(record[name] for record in records) for name in COUNTS}
    last = {"paradigm": "mean of paradigms", "phenomenon": "", **means, **sums}
    return Answer("paradigms", records, last, {"mean": means})


def _by_words(table: pa.Table, convention: Convention, column: str) -> pa.Table | None:
    """The scores of word frequencies alone, where they are known."""
    if table.column(column).null_count == table.num_rows:
        return None
    return as_unigram(table, convention.normalise)


def stereotypes(found: Sequence[Difference]) -> Answer:
    """ΔNLL by type, split and gender; there is no line for all, since the genders would cancel out."""
    records = [asdict(row) for row in found]
    return Answer("differences", [{name: row[name] for name in (*DIFFERENCE, "applicable")} for row in records])


def sentences(table: pa.Table, convention: Convention) -> Answer:
    """The correlation with ratings; without ratings, each sentence's score."""
    if table.column("rating").null_count == table.num_rows:
        columns = ("sentence", "score", "tokens", "unk")
        return Answer("sentences", table.select(columns).to_pylist())
    words = _by_words(table, convention, "unigram")
    found = asdict(correlation(table, words))
    return Answer(
        "ratings", [{"ratings": "Pearson's r", "r": found.pop("r"), "r_unigram": found.pop("unigram"), **found}]
    )


def predictions(table: pa.Table) -> Answer:
    """How often each prediction of SyntaxGym holds."""
    records = [asdict(row) for row in outcomes(table)]
    means = mean(row["accuracy"] for row in records)
    last = {"suite": "mean of predictions", "prediction": "", "accuracy": means}
    last |= {name: sum(row[name] for row in records) for name in ("items", "applicable")}
    return Answer("predictions", records, last, {"mean": {"accuracy": means}})


def _record(row: ParadigmAccuracy, unigram: float | None) -> dict[str, Any]:
    found = asdict(row)
    names = ("paradigm", "phenomenon", "accuracy")
    return {**{name: found[name] for name in names}, "unigram": unigram, **{name: found[name] for name in COUNTS}}
