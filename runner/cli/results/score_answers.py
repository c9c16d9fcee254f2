"""Results of `fictc score` by kind of suite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from runner.cli.results.score_formats import Answer
from runner.score.evaluate.preferences import has_preferences
from runner.score.evaluate.preferences import outcomes as outcomes_of_preferences
from runner.score.evaluate.ratings import correlation
from runner.score.evaluate.syntaxgym import outcomes
from runner.score.scoring.table import as_unigram
from runner.score.statistics.measures import ParadigmAccuracy, accuracy, mean
from runner.score.suites.winobias_differences import Difference, differences

if TYPE_CHECKING:
    import pyarrow as pa

    from runner.score.scoring.convention import Convention

DIFFERENCE_COLUMNS = ("type", "split", "gender", "delta", "se", "pro", "pairs")
COUNT_COLUMNS = ("pairs", "ties", "identical", "unknown")
ACCURACY_COLUMNS = ("accuracy", "told_apart", "unigram")


def answer(table: pa.Table, convention: Convention) -> Answer:
    """Return the result for a table of scores of any suite."""
    if "region" in table.column_names:
        return predictions(table)
    if "rating" in table.column_names:
        return sentences(table, convention)
    if has_preferences(table):
        return preferences(table)
    winobias_rows = differences(table)
    is_winobias = sum(row.pairs for row in winobias_rows) == table.num_rows
    return stereotypes(winobias_rows) if is_winobias else pairs(table, convention)


def pairs(table: pa.Table, convention: Convention) -> Answer:
    """Return the accuracy per paradigm over the applicable pairs, and the unigram accuracy if counts are known."""
    unigram_scores = _unigram_scores(table, convention, "unigram_good")
    unigram_accuracies = (
        {}
        if unigram_scores is None
        else {row.paradigm: row.accuracy for row in accuracy(unigram_scores, convention.ties)}
    )
    records = [_record(row, unigram_accuracies.get(row.paradigm)) for row in accuracy(table, convention.ties)]
    means = {name: mean(record[name] for record in records) for name in ACCURACY_COLUMNS}
    sums = {name: sum(record[name] for record in records) for name in COUNT_COLUMNS}
    total = {"paradigm": "mean of paradigms", "phenomenon": "", **means, **sums}
    return Answer("paradigms", records, total, {"mean": means})


def _unigram_scores(table: pa.Table, convention: Convention, column: str) -> pa.Table | None:
    """Return the table with the scores of the unigram baseline, or None if they are not known."""
    if table.column(column).null_count == table.num_rows:
        return None
    return as_unigram(table, convention.normalise)


def preferences(table: pa.Table) -> Answer:
    """Return the mean difference between alternants and its slopes, by paradigm."""
    return Answer("preferences", [asdict(row) for row in outcomes_of_preferences(table)])


def stereotypes(rows: Sequence[Difference]) -> Answer:
    """Return ΔNLL by type, split and gender. There is no total, because the genders would cancel out."""
    records = [{**asdict(row), "pro": row.pro_share} for row in rows]
    return Answer("differences", [{name: row[name] for name in (*DIFFERENCE_COLUMNS, "applicable")} for row in records])


def sentences(table: pa.Table, convention: Convention) -> Answer:
    """Return the correlation with ratings or, without ratings, the score of each sentence."""
    if table.column("rating").null_count == table.num_rows:
        columns = ("sentence", "score", "tokens", "unk")
        return Answer("sentences", table.select(columns).to_pylist())
    unigram_scores = _unigram_scores(table, convention, "unigram")
    statistics = asdict(correlation(table, unigram_scores))
    return Answer(
        "ratings",
        [{"ratings": "Pearson's r", "r": statistics.pop("r"), "r_unigram": statistics.pop("unigram"), **statistics}],
    )


def predictions(table: pa.Table) -> Answer:
    """Return the accuracy of each prediction of SyntaxGym."""
    records = [asdict(row) for row in outcomes(table)]
    mean_accuracy = mean(row["accuracy"] for row in records)
    total = {"suite": "mean of predictions", "prediction": "", "accuracy": mean_accuracy}
    total |= {name: sum(row[name] for row in records) for name in ("items", "applicable")}
    return Answer("predictions", records, total, {"mean": {"accuracy": mean_accuracy}})


def _record(row: ParadigmAccuracy, unigram: float | None) -> dict[str, Any]:
    values = asdict(row)
    names = ("paradigm", "phenomenon", "accuracy", "told_apart")
    return {
        **{name: values[name] for name in names},
        "unigram": unigram,
        **{name: values[name] for name in COUNT_COLUMNS},
    }
