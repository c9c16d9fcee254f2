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
from runner.tables import Cell, Column, Table, Value, saved

MARKS: dict[Verdict | None, tuple[str, str]] = {
    "fell": ("▾", "fell"),
    "fell within margin": ("▿", "fell"),
    "rose": ("▴", "rose"),
    "rose within margin": ("▵", "rose"),
    "held": ("=", "held"),
    "undecided": ("?", "undecided"),
    "not tested": ("–", "undecided"),
}
SIGNS = {verdict: sign for verdict, (sign, _) in MARKS.items()}
CSS_CLASSES = {verdict: css_class for verdict, (_, css_class) in MARKS.items()}
LEVELS = ("suite", "field", "phenomenon")


def verdict_class(contrast: Contrast) -> str:
    return CSS_CLASSES.get(contrast.verdict, "")


def verdict_cell(verdict: Verdict | None) -> Cell | Value:
    if verdict is None:
        return None
    return Cell(verdict, text=f"{SIGNS[verdict]} {verdict}", css_class=CSS_CLASSES[verdict])


def accuracy_cell(score: Accuracy | None) -> Cell | Value:
    return None if score is None else Cell(score.mean, tip=accuracy_tooltip(score))


def delta_cell(analysis: Analysis, contrast: Contrast | None) -> Cell | Value:
    if contrast is None:
        return None
    difference = contrast.difference
    interval = formatting.interval(difference.low, difference.high)
    return Cell(difference.delta, None, interval, contrast_tooltip(analysis, contrast), verdict_class(contrast))


def limit_cell(value: float | None) -> Cell | Value:
    return Cell(value, text="> 100") if value is not None and value > 1 else value


def seeds_text(by_seed: dict[int, float]) -> str:
    return " ".join(f"{seed}:{value!r}" for seed, value in sorted(by_seed.items()))


def accuracy_tooltip(accuracy: Accuracy) -> str:
    seeds = ", ".join(f"{formatting.percent(value)} (seed {seed})" for seed, value in accuracy.by_seed.items())
    heading = f"{accuracy.unit.name} · {accuracy.condition} · {accuracy.model}"
    return f"{heading}\naccuracy {formatting.percent(accuracy.mean)} %: {seeds}"


def contrast_tooltip(analysis: Analysis, contrast: Contrast) -> str:
    difference = contrast.difference
    lines = [
        f"{contrast.unit.name} · {contrast.model}",
        f"{contrast.condition} {formatting.percent(difference.mean_a)} − {contrast.reference} "
        f"{formatting.percent(difference.mean_b)} = {formatting.points(difference.delta)} points",
        f"{analysis.level} interval {formatting.interval(difference.low, difference.high)} ({difference.method}; "
        f"{difference.n_a} + {difference.n_b} seeds)",
    ]
    if difference.note and difference.note != difference.method:
        lines.append(difference.note)
    for key, method in METHODS.items():
        change = contrast.differences_by_method.get(key)
        ends = None if change is None or change.low is None else (change.low, change.high)
        if ends is not None and ends != (difference.low, difference.high):
            lines.append(f"{method.name} {formatting.interval(*ends)}")
    if contrast.targeted:
        p_values = (formatting.p_value(p) for p in (difference.p, contrast.holm, contrast.bh))
        lines.append("{}; p {}, Holm {}, BH {}".format(contrast.verdict, *p_values))
    return "\n".join(lines)


def accuracy(analysis: Analysis) -> Table:
    """Return all accuracies; `pairs` of a group is its number of paradigms, and `ties` a share of the scored pairs."""

    def of_pairs(name: str) -> Callable[[Accuracy], Value]:
        return lambda row: getattr(row, name) if row.unit.level == "paradigm" and row.size else None

    columns = saved(
        level="unit.level",
        suite="unit.suite",
        name="unit.name",
        condition="condition",
        model="model",
        accuracy="mean",
        sd="sd",
        n=lambda row: len(row.by_seed),
        by_seed=lambda row: seeds_text(row.by_seed),
        unigram=lambda row: None if row.model == UNIGRAM else unigram_accuracy(analysis, row.unit),
        pairs=lambda row: row.size or None,
        **{name: of_pairs(name) for name in ("applicable", "ties", "identical", "told_apart")},
        unknown=of_pairs("unknown_word_pairs"),
        unscored=of_pairs("unscored"),
    )
    return Table("accuracy", "Accuracies", columns, tuple(analysis.accuracies.values()), shown=False)


def detectable(analysis: Analysis) -> Table:
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
    columns = saved("condition", "model", "seed", "error")
    return Table("failed", "Failed cells", columns, analysis.results.run.failed, shown=False)


def condition_models(analysis: Analysis) -> tuple[tuple[str, str], ...]:
    scored = {(condition, model) for _, condition, model in analysis.accuracies}
    return tuple(cell for cell in analysis.results.condition_models if cell in scored)


def paradigms(analysis: Analysis, suite: str) -> Table:
    """Return the accuracies of all paradigms of a suite, targeted ones first. Each row opens its pairs on the page."""
    order = list(target_order(analysis))

    def of_pairs(value: Callable[[Paradigm], Value]) -> Callable[[Paradigm], Value]:
        return lambda paradigm: value(paradigm) if len(paradigm.item) else None

    def ties(paradigm: Paradigm) -> float | None:
        shares = [cell.ties for cell in _accuracies(analysis, Unit.of(paradigm)) if cell is not None]
        return float(np.mean(shares)) if shares else None

    def name(paradigm: Paradigm) -> Cell:
        return Cell(paradigm.name, css_class="name targeted" if paradigm.key in order else "name")

    trailing = (
        Column("phenomenon", "phenomenon", "text", lambda row: row.phenomenon.replace("_", " "), css_class="quiet"),
        Column("pairs", "pairs", "count", of_pairs(lambda paradigm: len(paradigm.item))),
        Column(
            *("ties", "ties", "percent", of_pairs(ties)),
            "share of scored pairs with equal scores, %, mean over conditions and models",
        ),
        Column(
            *("identical", "identical", "count", of_pairs(lambda row: int(row.identical.any(axis=0).sum()))),
            "pairs that a tokenizer makes identical",
        ),
        Column(
            *("unknown", "unknown", "count", of_pairs(lambda row: int(row.unknown.any(axis=0).sum()))),
            "pairs with an unknown word",
        ),
        _unigram_column(analysis, Unit.of),
    )
    columns = (Column("paradigm", "paradigm", "text", name), *_accuracy_columns(analysis, Unit.of), *trailing)
    indexed = [(index, each) for index, each in enumerate(analysis.results.paradigms) if each.suite == suite]
    indexed.sort(key=lambda pair: order.index(pair[1].key) if pair[1].key in order else len(order))
    opens = tuple(index if len(paradigm.item) else None for index, paradigm in indexed)
    rows = tuple(paradigm for _, paradigm in indexed)
    table = Table(slug(f"paradigms-{suite}"), "", columns, rows, opens=opens, saved=False)
    keys = {column.key for column in trailing}
    shown_table = table.showing(lambda column, has_values: has_values or column.key not in keys)
    return replace(
        shown_table, spans=_spans(analysis, 1, sum(each.shown for each in shown_table.columns[-len(trailing) :]))
    )


def target_order(analysis: Analysis) -> dict[str, None]:
    """Return the keys of targeted paradigms in the order of conditions, which puts targeted cells near the diagonal."""
    paradigms = analysis.results.paradigms
    keys_by_condition = (analysis.targets[condition.name] for condition in analysis.results.conditions)
    return dict.fromkeys(paradigm.key for keys in keys_by_condition for paradigm in paradigms if paradigm.key in keys)


def groups(analysis: Analysis, suite: str) -> Table:
    def unit_of(unit: Unit) -> Unit:
        return unit

    def name(unit: Unit) -> str:
        return "mean over paradigms" if unit.level == "suite" else unit.name

    def size(unit: Unit) -> int:
        return max((cell.size for cell in _accuracies(analysis, unit) if cell is not None), default=0)

    columns = (
        Column("group", "group", "text", name, css_class="name"),
        Column("level", "level"),
        Column("paradigms", "paradigms", "count", size),
        _unigram_column(analysis, unit_of),
        *_accuracy_columns(analysis, unit_of),
    )
    units = dict.fromkeys(unit for unit, _, _ in analysis.accuracies if unit.suite == suite)
    paradigms = [paradigm for paradigm in analysis.results.paradigms if paradigm.suite == suite]
    repeats = all(paradigm.phenomenon == paradigm.field for paradigm in paradigms)  # fields would repeat phenomena
    levels = [level for level in LEVELS if level != "field" or not repeats]
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
    def value(condition: str, model: str, item: object) -> Cell | Value:
        return accuracy_cell(analysis.accuracies.get((unit_of(item), condition, model)))

    for condition, model in condition_models(analysis):
        help_text = f"accuracy under {condition}, %, mean over seeds"
        yield Column(f"{condition}, {model}", model, "percent", partial(value, condition, model), help_text)


def _spans(analysis: Analysis, leading: int, trailing: int) -> tuple[tuple[str, int], ...]:
    by_condition = groupby(condition for condition, _ in condition_models(analysis))
    spans = [("", leading), *((condition, len(list(models))) for condition, models in by_condition), ("", trailing)]
    return tuple(span for span in spans if span[1])
