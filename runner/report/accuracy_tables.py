"""Tables of accuracies, and the cells and tooltips of accuracies and changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np

from runner import formatting
from runner.report.accuracies import unigram_accuracy
from runner.report.section import slug
from runner.report.statistics import Accuracy, Analysis, Contrast, Unit
from runner.score.change import Verdict
from runner.score.convention import UNIGRAM
from runner.score.intervals import METHODS
from runner.score.pair_matrices import Paradigm
from runner.tables import Cell, Column, Kind, Table, Value

CSS_CLASSES: dict[Verdict | None, str] = {
    "fell": "fell",
    "fell within margin": "fell",
    "rose": "rose",
    "rose within margin": "rose",
    "held": "held",
    "undecided": "undecided",
    "not tested": "undecided",
}
SIGNS: dict[Verdict | None, str] = {
    "fell": "▾",
    "fell within margin": "▿",
    "rose": "▴",
    "rose within margin": "▵",
    "held": "=",
    "undecided": "?",
    "not tested": "–",
}

UNIT_COLUMNS = (
    Column("level", "level", value="unit.level"),
    Column("suite", "suite", value="unit.suite"),
    Column("name", "paradigm or group", value="unit.name"),
)


def verdict_class(contrast: Contrast) -> str:
    """Return the CSS class of a contrast's verdict, or an empty string if it has none."""
    return CSS_CLASSES.get(contrast.verdict, "")


def verdict_cell(verdict: Verdict | None) -> Cell | Value:
    if verdict is None:
        return None
    return Cell(verdict, text=f"{SIGNS[verdict]} {verdict}", css_class=CSS_CLASSES[verdict])


def accuracy_cell(score: Accuracy | None) -> Cell | Value:
    """Return a cell with an accuracy. Its tooltip lists the seeds."""
    return None if score is None else Cell(score.mean, tip=accuracy_tooltip(score))


def delta_cell(analysis: Analysis, contrast: Contrast | None) -> Cell | Value:
    """Return a cell with a change in points and, below it, its interval."""
    if contrast is None:
        return None
    return Cell(
        contrast.difference.delta,
        small=formatting.interval(contrast.difference.low, contrast.difference.high),
        tip=contrast_tooltip(analysis, contrast),
        css_class=verdict_class(contrast),
    )


def limit_cell(value: float | None) -> Cell | Value:
    """Return a cell with a detectable change or a provable margin. Values above 100 points are shown as `> 100`."""
    return Cell(value, text="> 100") if value is not None and value > 1 else value


def seeds_text(by_seed: dict[int, float]) -> str:
    """Format values by seed, in the order of seeds: `1:0.8125 2:0.79`."""
    return " ".join(f"{seed}:{value!r}" for seed, value in sorted(by_seed.items()))


def accuracy_tooltip(accuracy: Accuracy) -> str:
    seeds = ", ".join(f"{formatting.percent(value)} (seed {seed})" for seed, value in accuracy.by_seed.items())
    heading = f"{accuracy.unit.name} · {accuracy.condition} · {accuracy.model}"
    return f"{heading}\naccuracy {formatting.percent(accuracy.mean)} %: {seeds}"


def contrast_tooltip(analysis: Analysis, contrast: Contrast) -> str:
    difference = contrast.difference
    level = analysis.level
    lines = [
        f"{contrast.unit.name} · {contrast.model}",
        f"{contrast.condition} {formatting.percent(difference.mean_a)} − {contrast.reference} "
        f"{formatting.percent(difference.mean_b)} = {formatting.points(difference.delta)} points",
        f"{level} interval {formatting.interval(difference.low, difference.high)} ({difference.method}; "
        f"{difference.n_a} + {difference.n_b} seeds)",
    ]
    if difference.note and difference.note != difference.method:
        lines.append(difference.note)
    for key, method in METHODS.items():
        change = contrast.differences_by_method.get(key)
        if (
            change is not None
            and change.low is not None
            and (change.low, change.high) != (difference.low, difference.high)
        ):
            lines.append(f"{method.name} {formatting.interval(change.low, change.high)}")
    if contrast.targeted:
        lines.append(
            f"{contrast.verdict}; p {formatting.p_value(difference.p)}, Holm {formatting.p_value(contrast.holm)}, BH "
            f"{formatting.p_value(contrast.bh)}"
        )
    return "\n".join(lines)


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


LEVELS = ("suite", "field", "phenomenon")


def condition_models(analysis: Analysis) -> tuple[tuple[str, str], ...]:
    """Return the (condition, model) pairs with scores, which are the columns of a wide table."""
    scored = {(condition, model) for _, condition, model in analysis.accuracies}
    return tuple(
        (condition.name, model)
        for condition in analysis.results.conditions
        for model in analysis.results.models
        if (condition.name, model) in scored
    )


def paradigms(analysis: Analysis, suite: str) -> Table:
    """Return the accuracies of all paradigms of a suite: targeted ones in the order of conditions, then the others.

    Each row opens the pairs of its paradigm on the page.
    """
    order = list(target_order(analysis))
    counts = (
        _pair_count("pairs", "pairs", "", lambda paradigm: len(paradigm.item)),
        Column(
            *("ties", "ties", "percent", lambda paradigm: _mean_ties(analysis, paradigm)),
            "share of scored pairs with equal scores, %, mean over conditions and models",
        ),
        _pair_count("identical", "identical", "pairs that a tokenizer makes identical"),
        _pair_count("unknown", "unknown", "pairs with an unknown word"),
    )
    columns = (
        Column(
            *("paradigm", "paradigm", "text"),
            lambda paradigm: Cell(paradigm.name, css_class="name targeted" if paradigm.key in order else "name"),
        ),
        *_accuracy_columns(analysis, _unit),
        Column("phenomenon", "phenomenon", "text", lambda row: row.phenomenon.replace("_", " "), css_class="quiet"),
        *counts,
        _unigram_column(analysis, _unit),
    )
    indexed_paradigms = [
        (index, paradigm) for index, paradigm in enumerate(analysis.results.paradigms) if paradigm.suite == suite
    ]
    indexed_paradigms.sort(key=lambda pair: order.index(pair[1].key) if pair[1].key in order else len(order))
    table = Table(
        slug(f"paradigms-{suite}"),
        "",
        columns,
        tuple(paradigm for _, paradigm in indexed_paradigms),
        opens=tuple(index if len(paradigm.item) else None for index, paradigm in indexed_paradigms),
        saved=False,
    )
    first = 1 + len(condition_models(analysis))
    trailing = {column.key for column in columns[first:]}
    shown_table = table.showing(lambda column, has_values: has_values or column.key not in trailing)
    return replace(shown_table, spans=_spans(analysis, 1, sum(column.shown for column in shown_table.columns[first:])))


def target_order(analysis: Analysis) -> dict[str, None]:
    """Return the keys of targeted paradigms in the order of conditions, which puts targeted cells near the diagonal."""
    paradigms = analysis.results.paradigms
    keys_by_condition = (analysis.targets[condition.name] for condition in analysis.results.conditions)
    return dict.fromkeys(paradigm.key for keys in keys_by_condition for paradigm in paradigms if paradigm.key in keys)


def _unit(paradigm: Paradigm) -> Unit:
    return Unit.of(paradigm)


def _pair_count(key: str, title: str, help_text: str, count: Callable[[Paradigm], int] | None = None) -> Column:
    """Return a column with a number of pairs; by default, the pairs for which the attribute `key` holds in any cell."""

    def value(paradigm: Paradigm) -> int | None:
        if not len(paradigm.item):
            return None
        return count(paradigm) if count else int(getattr(paradigm, key).any(axis=0).sum())

    return Column(key, title, "count", value, help_text)


def _mean_ties(analysis: Analysis, paradigm: Paradigm) -> float | None:
    ties = [cell.ties for cell in _accuracies(analysis, _unit(paradigm)) if cell is not None]
    return float(np.mean(ties)) if ties and len(paradigm.item) else None


def groups(analysis: Analysis, suite: str) -> Table:
    """Return the accuracies of a suite, its fields and phenomena."""
    columns = (
        Column(
            *("group", "group", "text", lambda unit: "mean over paradigms" if unit.level == "suite" else unit.name),
            css_class="name",
        ),
        Column("level", "level"),
        Column(
            *("paradigms", "paradigms", "count"),
            lambda unit: max((cell.size for cell in _accuracies(analysis, unit) if cell is not None), default=0),
        ),
        _unigram_column(analysis, lambda unit: unit),
        *_accuracy_columns(analysis, lambda unit: unit),
    )
    units = dict.fromkeys(unit for unit, _, _ in analysis.accuracies if unit.suite == suite)
    suite_paradigms = [paradigm for paradigm in analysis.results.paradigms if paradigm.suite == suite]
    levels: tuple[str, ...] = LEVELS
    if all(paradigm.phenomenon == paradigm.field for paradigm in suite_paradigms):
        levels = tuple(level for level in LEVELS if level != "field")  # fields would repeat the phenomena
    ordered_units = [unit for level in levels for unit in units if unit.level == level]
    return Table(slug(f"groups-{suite}"), "", columns, ordered_units, spans=_spans(analysis, 4, 0), saved=False)


def _unigram_column(analysis: Analysis, unit_of: Callable[[Any], Unit]) -> Column:
    return Column(
        *("unigram", "unigram", "percent", lambda item: unigram_accuracy(analysis, unit_of(item))),
        "accuracy of word frequencies alone, %",
    )


def _accuracies(analysis: Analysis, unit: Unit) -> list[Accuracy | None]:
    return [analysis.accuracies.get((unit, *column)) for column in condition_models(analysis)]


def _accuracy_columns(analysis: Analysis, unit_of: Callable[[Any], Unit]) -> Iterator[Column]:
    """Yield a column of accuracies for each condition and model."""

    def value(condition: str, model: str, item: object) -> Cell | Value:
        return accuracy_cell(analysis.accuracies.get((unit_of(item), condition, model)))

    for condition, model in condition_models(analysis):
        help_text = f"accuracy under {condition}, %, mean over seeds"
        yield Column(f"{condition}, {model}", model, "percent", partial(value, condition, model), help_text)


def _spans(analysis: Analysis, leading: int, trailing: int) -> tuple[tuple[str, int], ...]:
    """Return the conditions as headings over their models, between numbers of other columns."""
    by_condition = groupby(condition for condition, _ in condition_models(analysis))
    spans = [("", leading), *((condition, len(list(models))) for condition, models in by_condition), ("", trailing)]
    return tuple(span for span in spans if span[1])
