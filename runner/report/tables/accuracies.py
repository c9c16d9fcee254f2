"""Tables of accuracies, of detectable changes, and of failed cells."""

from __future__ import annotations

from runner.manifest.model import UNIGRAM
from runner.report.analysis.accuracies import unigram_accuracy
from runner.report.analysis.statistics import Accuracy, Analysis
from runner.report.tables.cells import UNIT_COLUMNS, limit_cell, seeds_text
from runner.tables import Column, Kind, Table, Value


def accuracy(analysis: Analysis) -> Table:
    """Return all accuracies of paradigms, phenomena, fields and suites. The unigram baseline is listed as a model."""
    columns = (
        *UNIT_COLUMNS,
        Column("condition", "condition"),
        Column("model", "model"),
        Column("accuracy", "accuracy", "percent", "mean"),
        Column("sd", "SD", "points", help="between seeds"),
        Column("n", "seeds", "count", lambda row: len(row.by_seed)),
        Column("by_seed", "by seed", "list", lambda row: seeds_text(row.by_seed)),
        Column(
            *("unigram", "unigram", "percent"),
            lambda row: None if row.model == UNIGRAM else unigram_accuracy(analysis, row.unit),
        ),
        Column("pairs", "pairs", "count", lambda row: row.size or None, "of a group: its number of paradigms"),
        _pair_column("applicable", "applicable", "count"),
        _pair_column("ties", "ties", "percent", "share of scored pairs with equal scores"),
        _pair_column("identical", "identical", "count", "pairs that the tokenizer makes identical"),
        _pair_column("told_apart", "told apart", "percent", "accuracy without identical pairs"),
        _pair_column("unknown", "unknown words", "count", "pairs with an unknown word", "unknown_word_pairs"),
        _pair_column("unscored", "unscored", "count", "pairs that are neither scored nor identical"),
    )
    return Table("accuracy", "Accuracies", columns, tuple(analysis.accuracies.values()), shown=False)


def _pair_column(key: str, title: str, kind: Kind, help_text: str = "", name: str = "") -> Column:
    """Return the column of a number of pairs, or of a share of them, that only paradigms with pairs have."""

    def value(row: Accuracy) -> Value:
        number: Value = getattr(row, name or key)
        return number if row.unit.level == "paradigm" and row.size else None

    return Column(key, title, kind, value, help_text)


def detectable(analysis: Analysis) -> Table:
    """Return the changes that the intervals can detect, and the margins that they can prove, by model."""
    columns = (
        Column("model", "model"),
        Column("cells", "cells", value="paradigms"),
        Column("groups", "comparisons", "count", "contrasts"),
        Column("sd", "SD between seeds, points", "percent", help="pooled"),
        Column("n", "seeds per side", "count", "seeds", "minimum over the comparisons"),
        Column(
            *("delta", "detectable, points", "percent", lambda power: limit_cell(power.detectable_change)),
            "median of the smallest changes detected by one uncorrected test",
        ),
        Column(
            *("held", "provable, points", "percent", lambda power: limit_cell(power.provable_margin)),
            "median of the smallest margins that give the verdict held",
        ),
    )
    note = (
        "From the standard errors of the intervals of the report, each with power 0.8. Smaller changes would probably "
        "go undetected; an accuracy that does not change would get the verdict held with the provable margin."
    )
    return Table("detectable", "What these seeds and pairs detect and prove", columns, tuple(analysis.detectable), note)


def failed(analysis: Analysis) -> Table:
    """Return the cells without scores."""
    columns = (
        Column("condition", "condition"),
        Column("model", "model"),
        Column("seed", "seed", "count"),
        Column("error", "error"),
    )
    return Table("failed", "Failed cells", columns, tuple(analysis.results.run.failed), shown=False)
