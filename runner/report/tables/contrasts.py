"""Tables of contrasts between conditions and baselines: all of them, those of targeted paradigms, and headlines."""

from __future__ import annotations

from dataclasses import replace

from runner.report.analysis.accuracies import unigram_accuracy
from runner.report.analysis.contrasts import contrast_limits
from runner.report.analysis.statistics import Analysis, Contrast, Headline, Unit, controls_of, full_condition
from runner.report.render import formatting
from runner.report.tables.cells import accuracy_cell, css_class, delta_values, verdict_cell
from runner.report.tables.cells import contrast_tooltip as tooltip
from runner.report.tables.table import Cell, Column, Table, Value, plain
from runner.score.statistics.intervals import INTERVALS
from runner.score.statistics.method import Method

OTHER_METHODS = tuple(method for method, _ in INTERVALS if method.key != "crossed")


def _delta_columns(prefix: str, title: str, help_text: str) -> tuple[Column, ...]:
    ends = (f"{prefix}_low", f"{prefix}_high")
    return (
        Column(prefix, title, "points", help_text, interval=ends),
        Column(ends[0], "low", "points", shown=False),
        Column(ends[1], "high", "points", shown=False),
    )


def _contrast_columns(analysis: Analysis) -> tuple[Column, ...]:
    level = formatting.percentage(analysis.results.run.report.confidence)
    return (
        Column("reference", "baseline", help="the condition that is subtracted"),
        *_delta_columns("delta", "Δ", f"condition − baseline, points, with its unadjusted {level} interval"),
        Column("se", "SE", "points", "standard error of the difference", shown=False),
        Column("df", "df", "number", "degrees of freedom", shown=False),
        Column("p", "p", "p", "two-sided, of the same interval, unadjusted"),
        Column("holm", "Holm", "p", "adjusted over the model's targeted paradigms and all conditions"),
        Column("bh", "BH", "p", "Benjamini-Hochberg, over the same tests"),
        Column("verdict", "verdict", help=f"derived from the {level} interval and Holm's p-value"),
        Column("detectable", "detectable", "points", "smallest change detected with power 0.8, unadjusted"),
        Column(
            "provable", "provable", "points", "smallest margin for which an unchanged accuracy gets the verdict held"
        ),
        *(column for method in OTHER_METHODS for column in _method_columns(method)),
        Column("seed_correlation", "seed r", "number", "correlation between paired seeds", shown=False),
        Column("n", "seeds", "count", shown=False),
        Column("n_reference", "baseline seeds", "count", shown=False),
        Column("method", "interval", help="what the interval generalises to", look="wrap"),
        Column("note", "note", shown=False),
    )


def _method_columns(method: Method) -> tuple[Column, ...]:
    columns = _delta_columns(method.key, method.name, f"{method.name} ({method.citation})")
    p = Column(f"{method.key}_p", "p", "p", f"{method.name}, unadjusted")
    return (*columns, p)


def _contrast_values(analysis: Analysis, contrast: Contrast | None) -> tuple[Value | Cell, ...]:
    if contrast is None:
        return (None,) * len(_contrast_columns(analysis))
    main, paired = contrast.difference, contrast.differences_by_method.get("paired")
    power_limits = contrast_limits(contrast, analysis.results.run.report.confidence) or (None, None)
    other_changes = [contrast.differences_by_method.get(method.key) for method in OTHER_METHODS]
    return (
        contrast.reference,
        Cell(main.delta, tip=tooltip(analysis, contrast), look=css_class(contrast)),
        *(main.low, main.high, main.se, main.df, main.p, contrast.holm, contrast.bh),
        verdict_cell(contrast.verdict),
        *power_limits,
        *(value for change in other_changes for value in (*delta_values(change), change.p if change else None)),
        paired.correlation if paired else None,
        *(main.n_a, main.n_b, main.method, main.note),
    )


def contrasts(analysis: Analysis) -> Table:
    """Return all differences between conditions and baselines, for paradigms and groups, in long form."""
    label_columns = (
        Column("level", "level"),
        Column("suite", "suite"),
        Column("name", "paradigm or group"),
        Column("condition", "condition"),
        Column("model", "model"),
        Column("against", "baseline kind"),
        Column("targeted", "targeted", "yes"),
        Column("accuracy", "accuracy", "percent"),
        Column("reference_accuracy", "baseline accuracy", "percent"),
    )
    rows = tuple(
        (
            *(contrast.unit.level, contrast.unit.suite, contrast.unit.name, contrast.condition, contrast.model),
            *(contrast.reference_kind, contrast.targeted, contrast.difference.mean_a, contrast.difference.mean_b),
            *_contrast_values(analysis, contrast),
        )
        for contrast in analysis.contrasts.values()
    )
    return Table("contrasts", "Accuracy deltas", (*label_columns, *_contrast_columns(analysis)), rows, shown=False)


def targeted(analysis: Analysis) -> Table:
    """Return one row per targeted paradigm, condition and model, with its contrasts with the control and with full.

    The main columns show the contrast with the control or, if there is no control, with full.
    """
    level = formatting.percentage(analysis.results.run.report.confidence)
    columns = (
        Column("suite", "suite", shown=len(analysis.results.suites) > 1),
        Column("paradigm", "paradigm", look="name"),
        Column("condition", "condition"),
        Column("model", "model"),
        Column("full", "full", "percent", "mean accuracy over seeds under the full corpus, %"),
        Column("control", "control", "percent", "accuracy under the control, such as a random removal of as much, %"),
        Column("after", "after", "percent", "accuracy under the condition, %"),
        Column("unigram", "unigram", "percent", "accuracy of word frequencies alone, %"),
        *_contrast_columns(analysis),
        *_delta_columns("delta_full", "Δ full", f"condition − full, points, with its unadjusted {level} interval"),
        Column("p_full", "p against full", "p", shown=False),
        Column("holm_full", "Holm p against full", "p", shown=False),
        Column("bh_full", "BH p against full", "p", shown=False),
    )
    rows = tuple(_targeted_row(analysis, *cell) for cell in targeted_cells(analysis))
    return Table("targeted", "Targeted paradigms", columns, rows, shown=False)


def _targeted_row(analysis: Analysis, unit: Unit, condition: str, model: str) -> tuple[Value | Cell, ...]:
    full = full_condition(analysis.results)
    control = main_contrast(analysis, unit, condition, model, "control")
    against_full = main_contrast(analysis, unit, condition, model, "full")
    names = (full.name if full else "", control.reference if control else "", condition)
    return (
        *(unit.suite, unit.name, condition, model),
        *(accuracy_cell(analysis.accuracies.get((unit, name, model))) for name in names),
        unigram_accuracy(analysis, unit),
        *_contrast_values(analysis, control or against_full),
        *delta_values(against_full.difference if against_full else None),
        *((against_full.difference.p, against_full.holm, against_full.bh) if against_full else (None,) * 3),
    )


OVERVIEW_KEYS = frozenset(
    ("suite", "paradigm", "condition", "model", "full", "control", "after", "unigram", "delta", "holm", "verdict")
)


def targeted_overview(analysis: Analysis) -> Table:
    """Return the table of targeted paradigms with its main columns, for the page."""
    has_controls = any(contrast.reference_kind == "control" for contrast in analysis.targeted_contrasts)
    keys = OVERVIEW_KEYS | {"delta_full"} if has_controls else OVERVIEW_KEYS
    return _with_columns(targeted(analysis), keys, "targeted-cells", "Every targeted paradigm")


def seed_intervals(analysis: Analysis) -> Table:
    """Return the intervals over seeds only for the targeted paradigms, for comparison with published results."""
    shown_keys = {"paradigm", "condition", "model", "reference", "seed_correlation"}
    shown_keys |= {key for method in OTHER_METHODS for key in (method.key, f"{method.key}_p")}
    table = _with_columns(
        targeted(analysis), frozenset(shown_keys), "classical", "Intervals over seeds, as in most papers"
    )
    return replace(
        table,
        note=" ".join(f"{method.name} ({method.citation}): {method.description}" for method in OTHER_METHODS),
        folded=True,
    )


def _with_columns(table: Table, keys: frozenset[str], name: str, title: str) -> Table:
    columns_with_values = [any(plain(row[i]) is not None for row in table.rows) for i in range(len(table.columns))]
    columns = tuple(
        replace(column, shown=column.key in keys and has_values and (column.shown or column.key != "suite"))
        for column, has_values in zip(table.columns, columns_with_values, strict=True)
    )
    return replace(table, name=name, title=title, columns=columns, saved=False, shown=True)


def headlines(analysis: Analysis) -> Table:
    """Return the mean change over targeted paradigms, by condition and overall."""
    level = formatting.percentage(analysis.results.run.report.confidence)
    columns = (
        Column("condition", "condition", look="name"),
        Column("over", "over", help="what is averaged and, for phenomena, what the interval generalises to"),
        Column("model", "model"),
        Column("against", "baseline kind"),
        Column("n", "n", "count", "targeted paradigms, or phenomena"),
        Column("before", "baseline, %", "percent"),
        Column("after", "after, %", "percent"),
        *_delta_columns("delta", "Δ", f"mean change over the paradigms, points, with its {level} interval"),
        Column("p", "p", "p", "two-sided, of the same interval, unadjusted", shown=False),
        Column("holm", "Holm", "p", "adjusted over the model's conditions; for one paradigm, as in its own row"),
        Column("verdict", "verdict", help=f"derived from the {level} interval and Holm's p-value"),
        Column("method", "interval", help="what the interval generalises to", look="wrap"),
    )
    rows = tuple(_headline_row(headline) for headline in analysis.headlines)
    return Table("headlines", "Change over the targeted paradigms", columns, rows)


def _headline_row(headline: Headline) -> tuple[Value | Cell, ...]:
    difference = headline.difference
    return (
        headline.condition or "all conditions",
        "phenomena" if headline.over_phenomena else "targeted paradigms",
        *(headline.model, " and ".join(headline.references), headline.count, difference.mean_b, difference.mean_a),
        *delta_values(difference),
        difference.p,
        headline.holm,
        verdict_cell(headline.verdict),
        difference.method,
    )


def targeted_cells(analysis: Analysis) -> list[tuple[Unit, str, str]]:
    """Return the targeted (unit, condition, model) with scores, in the order of conditions, paradigms and models."""
    return [
        (unit, condition.name, model)
        for condition in analysis.results.conditions
        for paradigm in analysis.results.paradigms
        if paradigm.key in analysis.targets[condition.name]
        for unit in [Unit("paradigm", paradigm.suite, paradigm.name)]
        for model in analysis.results.models
        if (unit, condition.name, model) in analysis.accuracies
    ]


def main_contrast(
    analysis: Analysis, unit: Unit, condition: str, model: str, reference_kind: str | None = None
) -> Contrast | None:
    """Return the contrast with the first control that has scores, else that with full, else None.

    `reference_kind` restricts the baseline to `control` or `full`.
    """
    full = full_condition(analysis.results)
    names = [control.name for control in controls_of(analysis.results, condition) if reference_kind != "full"]
    names += [full.name] if full and reference_kind != "control" else []
    candidates = (analysis.contrasts.get((unit, condition, model, name)) for name in names)
    return next((contrast for contrast in candidates if contrast is not None), None)
