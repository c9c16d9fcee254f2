"""Tables of contrasts between conditions and baselines, and of what designs detect and prove."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from runner.report.accuracies import unigram_accuracy
from runner.report.accuracy_tables import accuracy_cell, limit_cell, verdict_cell, verdict_class
from runner.report.accuracy_tables import contrast_tooltip as tooltip
from runner.report.contrasts import contrast_limits, pilot_contrasts
from runner.report.records import Condition, least_precision, most_left
from runner.report.statistics import Analysis, Contrast, Unit, controls_of
from runner.score.intervals import INTERVALS, Method
from runner.tables import Cell, Column, Table, Value, saved

OTHER_METHODS = tuple(method for method, _ in INTERVALS if method.key != "crossed")
DETECTED = "smallest change detected with power 0.8"


def _delta_columns(prefix: str, title: str, help_text: str, path: str) -> tuple[Column, ...]:
    low, high = f"{prefix}_low", f"{prefix}_high"
    delta = Column(prefix, title, "points", f"{path}.delta", help_text, interval=(low, high))
    ends = (Column(end, "", "points", f"{path}.{part}", shown=False) for end, part in ((low, "low"), (high, "high")))
    return (delta, *ends)


def _contrast_columns(analysis: Analysis, part: str = "") -> tuple[Column, ...]:
    level, path = analysis.level, f"{part}." if part else ""
    difference = f"{path}difference"
    limits: dict[int, tuple[float | None, float | None]] = {}

    def of_contrast(value: Callable[[Contrast], Value | Cell]) -> Callable[[Any], Value | Cell]:
        def cell(item: Any) -> Value | Cell:
            contrast = item[part] if part else item
            return None if contrast is None else value(contrast)

        return cell

    def delta(contrast: Contrast) -> Cell:
        return Cell(contrast.difference.delta, tip=tooltip(analysis, contrast), css_class=verdict_class(contrast))

    def limit(index: int) -> Callable[[Any], Value | Cell]:
        def of(contrast: Contrast) -> float | None:
            if id(contrast) not in limits:
                limits[id(contrast)] = contrast_limits(contrast, analysis.confidence) or (None, None)
            return limits[id(contrast)][index]

        return of_contrast(of)

    delta_help = f"condition − baseline, points, with its unadjusted {level} interval"
    delta_column, *ends = _delta_columns("delta", "Δ", delta_help, difference)
    verdict = of_contrast(lambda contrast: verdict_cell(contrast.verdict))
    return (
        Column("reference", "baseline", "text", f"{path}reference", "the condition that is subtracted"),
        replace(delta_column, value=of_contrast(delta)),
        *ends,
        *saved(se=f"{difference}.se", df=f"{difference}.df"),
        Column("p", "p", "p", f"{difference}.p", "two-sided, of the same interval, unadjusted"),
        Column(
            *("holm", "Holm", "p", f"{path}holm"), "adjusted over the model's targeted paradigms and all conditions"
        ),
        Column("bh", "BH", "p", f"{path}bh", "Benjamini-Hochberg, over the same tests"),
        Column("verdict", "verdict", "text", verdict, f"derived from the {level} interval and Holm's p-value"),
        Column("detectable", "detectable", "points", limit(0), f"{DETECTED}, unadjusted"),
        Column(
            *("provable", "provable", "points", limit(1)),
            "smallest margin for which an unchanged accuracy gets the verdict held",
        ),
        *(column for method in OTHER_METHODS for column in _method_columns(method, path)),
        Column(
            *("seed_correlation", "seed r", "number", f"{path}differences_by_method.paired.correlation"),
            "correlation between paired seeds",
            shown=False,
        ),
        *saved(n=f"{difference}.n_a", n_reference=f"{difference}.n_b"),
        Column(
            *("method", "interval", "text", f"{difference}.method"),
            "what the interval generalises to",
            css_class="wrap",
        ),
        *saved(note=f"{difference}.note"),
    )


def _method_columns(method: Method, path: str) -> tuple[Column, ...]:
    difference, help_text = f"{path}differences_by_method.{method.key}", f"{method.name} ({method.citation})"
    p_value = Column(f"{method.key}_p", "p", "p", f"{difference}.p", f"{method.name}, unadjusted")
    return (*_delta_columns(method.key, method.name, help_text, difference), p_value)


def contrasts(analysis: Analysis) -> Table:
    columns = (
        *saved(level="unit.level", suite="unit.suite", name="unit.name", condition="condition", model="model"),
        *saved(against="reference_kind", targeted="targeted"),
        *saved(accuracy="difference.mean_a", reference_accuracy="difference.mean_b"),
        *_contrast_columns(analysis),
    )
    return Table("contrasts", "Accuracy deltas", columns, tuple(analysis.contrasts.values()), shown=False)


def targeted(analysis: Analysis) -> Table:
    columns = (
        Column("suite", "suite", "text", "unit.suite", shown=len(analysis.results.suites) > 1),
        Column("paradigm", "paradigm", "text", "unit.name", css_class="name"),
        Column("condition", "condition"),
        Column("model", "model"),
        _accuracy_column("full", "mean accuracy over seeds under the full corpus, %"),
        _accuracy_column("control", "accuracy under the control, such as a random removal of as much, %"),
        _accuracy_column("after", "accuracy under the condition, %"),
        Column(
            *("unigram", "unigram", "percent", lambda cell: unigram_accuracy(analysis, cell["unit"])),
            "accuracy of word frequencies alone, %",
        ),
        *_contrast_columns(analysis, "main"),
        *_delta_columns(
            *("delta_full", "Δ full", f"condition − full, points, with its unadjusted {analysis.level} interval"),
            "against_full.difference",
        ),
        *saved(p_full="against_full.difference.p", holm_full="against_full.holm", bh_full="against_full.bh"),
        *(_audit_columns(analysis) if any(each.audits for each in analysis.results.conditions) else ()),
    )
    cells = tuple(_targeted_cell(analysis, *cell) for cell in targeted_cells(analysis))
    return Table("targeted", "Targeted paradigms", columns, cells, shown=False)


def _audit_columns(analysis: Analysis) -> tuple[Column, Column]:
    def of(value: Callable[[Condition], float | None]) -> Callable[[dict[str, Any]], float | None]:
        return lambda cell: value(analysis.results.condition(cell["condition"]))

    precision_help = "of the filter, by an audit; the lowest of several filters"
    left_help = "sentences with the construction that an audit leaves, at most: the end of its 95 % interval"
    return (
        Column("precision", "precision, %", "percent", of(least_precision), precision_help),
        Column("left", "left at most, per million words", "count", of(most_left), left_help),
    )


def _targeted_cell(analysis: Analysis, unit: Unit, condition: str, model: str) -> dict[str, Any]:
    control = main_contrast(analysis, unit, condition, model, "control")
    against_full = main_contrast(analysis, unit, condition, model, "full")
    names = (analysis.full.name if analysis.full else "", control.reference if control else "", condition)
    accuracies = (analysis.accuracies.get((unit, name, model)) for name in names)
    return {
        "unit": unit,
        "condition": condition,
        "model": model,
        **dict(zip(("full", "control", "after"), accuracies, strict=True)),
        "main": control or against_full,
        "against_full": against_full,
    }


def _accuracy_column(key: str, help_text: str) -> Column:
    return Column(key, key, "percent", lambda cell: accuracy_cell(cell[key]), help_text)


OVERVIEW_KEYS = frozenset(
    ("suite", "paradigm", "condition", "model", "full", "control", "after", "unigram", "delta", "holm", "verdict")
) | {"precision", "left"}


def targeted_overview(analysis: Analysis) -> Table:
    has_controls = any(contrast.reference_kind == "control" for contrast in analysis.targeted_contrasts)
    keys = OVERVIEW_KEYS | {"delta_full"} if has_controls else OVERVIEW_KEYS
    return _with_columns(targeted(analysis), keys, "targeted-cells", "Every targeted paradigm")


def seed_intervals(analysis: Analysis) -> Table:
    keys = {"paradigm", "condition", "model", "reference", "seed_correlation"}
    keys |= {key for method in OTHER_METHODS for key in (method.key, f"{method.key}_p")}
    table = _with_columns(targeted(analysis), keys, "classical", "Intervals over seeds, as in most papers")
    note = " ".join(f"{method.name} ({method.citation}): {method.description}" for method in OTHER_METHODS)
    return replace(table, note=note, folded=True)


def _with_columns(table: Table, keys: Collection[str], name: str, title: str) -> Table:
    shown_table = table.showing(
        lambda column, has_values: column.key in keys and has_values and (column.shown or column.key != "suite")
    )
    return replace(shown_table, name=name, title=title, saved=False, shown=True)


def headlines(analysis: Analysis) -> Table:
    level = analysis.level
    columns = (
        Column("condition", "condition", value=lambda row: row.condition or "all conditions", css_class="name"),
        Column(
            *("over", "over", "text", lambda row: "phenomena" if row.over_phenomena else "targeted paradigms"),
            "what is averaged and, for phenomena, what the interval generalises to",
        ),
        Column("model", "model"),
        Column("against", "baseline kind", value=lambda row: " and ".join(row.references)),
        Column("n", "n", "count", "count", "targeted paradigms, or phenomena"),
        Column("before", "baseline, %", "percent", "difference.mean_b"),
        Column("after", "after, %", "percent", "difference.mean_a"),
        *_delta_columns(
            *("delta", "Δ", f"mean change over the paradigms, points, with its {level} interval"), "difference"
        ),
        *saved(p="difference.p"),
        Column("holm", "Holm", "p", help="adjusted over the model's conditions; for one paradigm, as in its own row"),
        Column(
            *("verdict", "verdict", "text", lambda row: verdict_cell(row.verdict)),
            f"derived from the {level} interval and Holm's p-value",
        ),
        Column("method", "interval", "text", "difference.method", "what the interval generalises to", css_class="wrap"),
    )
    return Table("headlines", "Change over the targeted paradigms", columns, tuple(analysis.headlines))


def targeted_cells(analysis: Analysis) -> list[tuple[Unit, str, str]]:
    """Return the targeted (unit, condition, model) with scores, in the order of conditions, paradigms and models."""
    return [
        (unit, condition.name, model)
        for condition in analysis.results.conditions
        for paradigm in analysis.results.paradigms
        if paradigm.key in analysis.targets[condition.name]
        for unit in [Unit.of(paradigm)]
        for model in analysis.results.models
        if (unit, condition.name, model) in analysis.accuracies
    ]


def main_contrast(
    analysis: Analysis, unit: Unit, condition: str, model: str, reference_kind: str | None = None
) -> Contrast | None:
    """Return the contrast with the first control that has scores, else with full; or with the kind that is named."""
    full = analysis.full
    names = [control.name for control in controls_of(analysis.results, condition) if reference_kind != "full"]
    names += [full.name] if full and reference_kind != "control" else []
    candidates = (analysis.contrasts.get((unit, condition, model, name)) for name in names)
    return next((contrast for contrast in candidates if contrast is not None), None)


NO_VARIANCE = "all seeds of both sides agree on every pair, so the pilot has no variance"


class _Design:
    def __init__(self, contrast: Contrast, seeds: int, pairs: int, confidence: float) -> None:
        assert contrast.variances is not None
        self.contrast, self.seeds, self.pairs = contrast, seeds, pairs
        self.se, _ = contrast.variances.se(seeds, pairs)
        self.limits = contrast.variances.limits(seeds, pairs, confidence)


def _limit_columns(name: str, help_text: str) -> tuple[Column, Column]:
    def limit(index: int) -> Callable[[_Design], Cell | Value]:
        return lambda row: limit_cell(getattr(row.limits[index], name) if row.limits else None)

    estimate = "at the variance that the pilot estimates"
    return (
        Column(f"{name}_estimate", f"{name}, estimated", "percent", limit(0), estimate),
        Column(name, "promised", "percent", limit(1), help_text),
    )


def power(analysis: Analysis, seed_counts: Sequence[int], pair_counts: Sequence[int]) -> Table:
    """Return the detectable changes and provable margins of other designs, for the pilot's variance and its limit."""
    confidence = analysis.confidence
    designs = [
        _Design(contrast, seed_count, pair_count, confidence)
        for contrast in pilot_contrasts(list(analysis.contrasts.values()))
        for seed_count in seed_counts
        for pair_count in pair_counts
    ]
    columns = (
        Column("suite", "suite", value="contrast.unit.suite", shown=len(analysis.results.suites) > 1),
        Column("paradigm", "paradigm", value="contrast.unit.name", css_class="name"),
        Column("condition", "condition", value="contrast.condition"),
        Column("model", "model", value="contrast.model"),
        Column("seeds", "seeds", "count", help="on each side"),
        Column("pairs", "pairs", "count"),
        *saved("se"),
        *_limit_columns("detectable", f"{DETECTED}, points"),
        *_limit_columns("provable", "smallest margin for which “held” has power 0.8, points"),
        Column(
            *("note", "note", "text", lambda row: "" if row.limits else NO_VARIANCE),
            shown=not all(row.limits for row in designs),
        ),
    )
    return Table("power", "What other designs would detect and prove", columns, designs)
