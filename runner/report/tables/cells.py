"""Table cells and tooltips of accuracies and changes."""

from __future__ import annotations

from runner import formatting
from runner.report.analysis.statistics import Accuracy, Analysis, Contrast
from runner.score.statistics.change import Verdict
from runner.score.statistics.intervals import METHODS
from runner.tables import Cell, Column, Value

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


def css_class(contrast: Contrast) -> str:
    """Return the CSS class of a contrast's verdict, or an empty string if it has none."""
    return CSS_CLASSES.get(contrast.verdict, "")


def verdict_cell(verdict: Verdict | None) -> Cell | Value:
    """Return a cell with a verdict and its sign."""
    if verdict is None:
        return None
    return Cell(verdict, text=f"{SIGNS[verdict]} {verdict}", look=CSS_CLASSES[verdict])


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
        look=css_class(contrast),
    )


def limit_cell(value: float | None) -> Cell | Value:
    """Return a cell with a detectable change or a provable margin. Values above 100 points are shown as `> 100`."""
    return Cell(value, text="> 100") if value is not None and value > 1 else value


def seeds_text(by_seed: dict[int, float]) -> str:
    """Format values by seed, in the order of seeds: `1:0.8125 2:0.79`."""
    return " ".join(f"{seed}:{value!r}" for seed, value in sorted(by_seed.items()))


def accuracy_tooltip(accuracy: Accuracy) -> str:
    """Return the tooltip of an accuracy."""
    seeds = ", ".join(f"{formatting.percent(value)} (seed {seed})" for seed, value in accuracy.by_seed.items())
    heading = f"{accuracy.unit.name} · {accuracy.condition} · {accuracy.model}"
    return f"{heading}\naccuracy {formatting.percent(accuracy.mean)} %: {seeds}"


def contrast_tooltip(analysis: Analysis, contrast: Contrast) -> str:
    """Return the tooltip of a change."""
    difference = contrast.difference
    level = formatting.percentage(analysis.results.run.report.confidence)
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
