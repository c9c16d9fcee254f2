"""Tables of accuracies, of detectable changes, and of failed cells."""

from __future__ import annotations

from runner.manifest.model import UNIGRAM
from runner.report.analysis.accuracies import unigram_accuracy
from runner.report.analysis.statistics import Accuracy, Analysis
from runner.report.tables.cells import limit_cell, seeds_text
from runner.report.tables.table import Column, Table, Value


def accuracy(analysis: Analysis) -> Table:
    """Return all accuracies of paradigms, phenomena, fields and suites. The unigram baseline is listed as a model."""
    columns = (
        Column("level", "level"),
        Column("suite", "suite"),
        Column("name", "paradigm or group"),
        Column("condition", "condition"),
        Column("model", "model"),
        Column("accuracy", "accuracy", "percent"),
        Column("sd", "SD", "points", "between seeds"),
        Column("n", "seeds", "count"),
        Column("by_seed", "by seed", "list"),
        Column("unigram", "unigram", "percent"),
        Column("pairs", "pairs", "count", "of a group: its number of paradigms"),
        Column("applicable", "applicable", "count"),
        Column("ties", "ties", "percent", "share of scored pairs with equal scores"),
        Column("identical", "identical", "count", "pairs that the tokenizer makes identical"),
        Column("told_apart", "told apart", "percent", "accuracy without identical pairs"),
        Column("unknown", "unknown words", "count", "pairs with an unknown word"),
        Column("unscored", "unscored", "count", "pairs that are neither scored nor identical"),
    )
    rows = tuple(_row(analysis, row) for row in analysis.accuracies.values())
    return Table("accuracy", "Accuracies", columns, rows, shown=False)


def _row(analysis: Analysis, row: Accuracy) -> tuple[Value, ...]:
    pair_values: tuple[Value, ...] = (
        *(row.applicable, row.ties, row.identical),
        *(row.told_apart, row.unknown_word_pairs, row.unscored),
    )
    return (
        *(row.unit.level, row.unit.suite, row.unit.name, row.condition, row.model, row.mean, row.sd),
        len(row.by_seed),
        seeds_text(row.by_seed),
        None if row.model == UNIGRAM else unigram_accuracy(analysis, row.unit),
        row.size or None,
        *(pair_values if row.unit.level == "paradigm" and row.size else (None,) * len(pair_values)),
    )


def detectable(analysis: Analysis) -> Table:
    """Return the changes that the intervals can detect, and the margins that they can prove, by model."""
    columns = (
        Column("model", "model"),
        Column("cells", "cells"),
        Column("groups", "comparisons", "count"),
        Column("sd", "SD between seeds, points", "percent", "pooled"),
        Column("n", "seeds per side", "count", "minimum over the comparisons"),
        Column(
            "delta", "detectable, points", "percent", "median of the smallest changes detected by one uncorrected test"
        ),
        Column("held", "provable, points", "percent", "median of the smallest margins that give the verdict held"),
    )
    rows = tuple(
        (
            *(power.model, power.paradigms, power.contrasts, power.sd, power.seeds),
            *(limit_cell(power.detectable_change), limit_cell(power.provable_margin)),
        )
        for power in analysis.detectable
    )
    note = (
        "From the standard errors of the intervals of the report, each with power 0.8. Smaller changes would probably "
        "go undetected; an accuracy that does not change would get the verdict held with the provable margin."
    )
    return Table("detectable", "What these seeds and pairs detect and prove", columns, rows, note)


def failed(analysis: Analysis) -> Table:
    """Return the cells without scores."""
    columns = (
        Column("condition", "condition"),
        Column("model", "model"),
        Column("seed", "seed", "count"),
        Column("error", "error"),
    )
    rows = tuple(
        (failure.condition, failure.model, failure.seed, failure.error) for failure in analysis.results.run.failed
    )
    return Table("failed", "Failed cells", columns, rows, shown=False)
