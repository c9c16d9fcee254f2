"""Displayed tables of statistics: cells hold text, a sort value and a tooltip."""

from __future__ import annotations

from dataclasses import dataclass

from runner.report.analysis.accuracies import unigram_accuracy
from runner.report.analysis.score_names import probability_name
from runner.report.analysis.statistics import (
    Accuracy,
    Analysis,
    Contrast,
    TextScore,
    Unit,
    full_condition,
    random_controls,
)
from runner.report.figures.heatmap import accuracy_tooltip, contrast_tooltip
from runner.report.render import format as write
from runner.report.tables.tables import main_contrast, targeted_cells
from runner.report.views.wide import Row, columns, wide_rows


@dataclass(frozen=True, slots=True)
class Head:
    """A column heading. Numeric columns are right-aligned."""

    title: str
    help: str = ""
    number: bool = True


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its text, a smaller second line, a sort value, a tooltip and a CSS class."""

    text: str
    small: str = ""
    sort: float | str = ""
    tip: str = ""
    look: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """A table as displayed. `spans` are headings over several columns (title, width)."""

    name: str
    heads: tuple[Head, ...]
    rows: tuple[tuple[Cell, ...], ...]
    spans: tuple[tuple[str, int], ...] = ()
    items: tuple[int | None, ...] = ()  # per row: index of the paradigm whose pairs it can show


def text(content: str, look: str = "", tip: str = "") -> Cell:
    """Return a cell of text."""
    return Cell(content, sort=content, look=look, tip=tip)


def value(content: str, number: float | None, *, small: str = "", tip: str = "", look: str = "") -> Cell:
    """Return a cell with a number as its sort value."""
    return Cell(content, small, "" if number is None else number, tip, look)


def targeted(analysis: Analysis) -> View:
    """Return the accuracies of each targeted cell, its deltas with intervals, and adjusted p-values."""
    level = write.share(analysis.results.run.report.confidence)
    heads = (
        Head("paradigm", "with the condition that targets it", number=False),
        Head("model", number=False),
        Head("full", "mean accuracy over seeds, %"),
        Head("random", "accuracy of the random control, %"),
        Head("after", "accuracy under the condition, %"),
        Head("Δ random", f"condition − control, points, with its {level} Welch t interval over seeds"),
        Head("Δ full", f"condition − full, points, with its {level} Welch t interval over seeds"),
        Head("bootstrap", "interval of Δ random (or Δ full without a control) over seeds × items, points"),
        Head("p", "two-sided Welch t test of the same delta, uncorrected"),
        Head("Holm", "adjusted for the family-wise error over all targeted tests with this kind of reference"),
        Head("BH", "adjusted for the false discovery rate over the same tests"),
        Head("unigram", "accuracy of word frequencies alone, %"),
        Head("seeds", "seeds of the condition + of the reference"),
    )
    full = full_condition(analysis.results)
    rows = []
    for unit, condition, model in targeted_cells(analysis):
        full_accuracy = analysis.accuracies.get((unit, full.name, model)) if full else None
        control_contrast = main_contrast(analysis, unit, condition, model, "control")
        full_contrast = main_contrast(analysis, unit, condition, model, "full")
        control = analysis.accuracies.get((unit, control_contrast.reference, model)) if control_contrast else None
        main = control_contrast or full_contrast
        unigram = unigram_accuracy(analysis, unit)
        rows.append(
            (
                Cell(unit.name, f"under {condition}", unit.name, look="name"),
                text(model),
                accuracy(full_accuracy),
                accuracy(control),
                accuracy(analysis.accuracies.get((unit, condition, model))),
                delta(analysis, control_contrast),
                delta(analysis, full_contrast),
                value(write.bounds(main.bootstrap if main else None), main.bootstrap[0])
                if main and main.bootstrap
                else Cell(write.MISSING),
                *(p_value(p) for p in ((main.difference.p, main.holm, main.bh) if main else (None,) * 3)),
                value(write.percent(unigram), unigram),
                Cell(f"{main.difference.n_a} + {main.difference.n_b}" if main else write.MISSING),
            )
        )
    return View("targeted", heads, tuple(rows))


def p_value(p: float | None) -> Cell:
    """Return a cell with a p-value, bold up to 0.05."""
    return value(write.p_value(p), p, look="strong" if p is not None and p <= 0.05 else "")


def accuracy(score: Accuracy | None) -> Cell:
    """Return a cell with an accuracy in percent. Its tooltip lists the seeds."""
    if score is None:
        return Cell(write.MISSING)
    return value(write.percent(score.mean), score.mean, tip=accuracy_tooltip(score))


def delta(analysis: Analysis, contrast: Contrast | None) -> Cell:
    """Return a cell with a delta in points above its interval."""
    if contrast is None:
        return Cell(write.MISSING)
    difference = contrast.difference
    look = {"below": "drop", "above": "gain"}.get(contrast.verdict, "")
    return value(
        write.points(difference.delta),
        difference.delta,
        small=write.interval(difference),
        tip=contrast_tooltip(analysis, contrast),
        look=look,
    )


def paradigms(analysis: Analysis, suite: str) -> tuple[View, View]:
    """Return the accuracies of every paradigm and every group, under each condition and model."""
    across = columns(analysis)
    spans = [("", 7)]
    for condition, _ in across:
        if spans[-1][0] == condition:
            spans[-1] = (condition, spans[-1][1] + 1)
        else:
            spans.append((condition, 1))
    models = tuple(Head(model, f"accuracy under {condition}, %, mean over seeds") for condition, model in across)
    heads = (
        Head("paradigm", number=False),
        Head("phenomenon", number=False),
        Head("pairs"),
        Head("ties", "share of scored pairs with equal scores, %, mean over conditions and models"),
        Head("identical", "pairs that a tokenizer makes identical; not applicable"),
        Head("unknown", "pairs with an unknown word"),
        Head("unigram", "accuracy of word frequencies alone, %"),
        *models,
    )
    rows, groups = wide_rows(analysis, suite)
    paradigm_view = View(
        f"paradigms-{suite}",
        heads,
        tuple((*_fixed(row), *(accuracy(cell) for cell in row.cells)) for row in rows),
        tuple(spans),
        tuple(row.items for row in rows),
    )
    group_heads = (
        Head("group", number=False),
        Head("level", number=False),
        Head("paradigms"),
        Head("unigram", "accuracy of word frequencies alone, %"),
        *models,
    )
    group_rows = tuple(
        (
            text("mean over paradigms" if row.unit.level == "suite" else row.unit.name, "name"),
            text(row.unit.level),
            value(write.count(row.pairs), row.pairs),
            value(write.percent(row.unigram), row.unigram),
            *(accuracy(cell) for cell in row.cells),
        )
        for row in groups
    )
    return paradigm_view, View(f"groups-{suite}", group_heads, group_rows, (("", 4), *spans[1:]))


def _fixed(row: Row) -> tuple[Cell, ...]:
    return (
        text(row.unit.name, "name targeted" if row.targeted else "name"),
        text(row.phenomenon.replace("_", " "), "quiet"),
        value(write.count(row.pairs), row.pairs),
        value(write.percent(row.ties), row.ties),
        value(write.count(row.identical), row.identical),
        value(write.count(row.unknown), row.unknown),
        value(write.percent(row.unigram), row.unigram),
    )


def perplexity(analysis: Analysis) -> View:
    """Return perplexities by condition, text and model, with the change against the reference below."""
    scores = {(cell.condition, cell.text, cell.model): cell for cell in analysis.texts}
    texts = list(dict.fromkeys(cell.text for cell in analysis.texts))
    across = [(name, model) for name in texts for model in analysis.results.models]
    masked = analysis.results.run.masked
    heads = (
        Head("condition", number=False),
        *(
            Head(
                f"{model} (pseudo)",
                f"pseudo-perplexity of {name}, of masked words; not comparable with a causal model's",
            )
            if model in masked
            else Head(model, f"perplexity of {name}")
            for name, model in across
        ),
    )
    rows = tuple(
        (text(condition.name), *(_perplexity(analysis, scores.get((condition.name, *cell))) for cell in across))
        for condition in analysis.results.conditions
        if any((condition.name, *cell) in scores for cell in across)
    )
    spans = (("", 1), *((name, len(analysis.results.models)) for name in texts))
    return View("perplexity", heads, rows, spans)


def _perplexity(analysis: Analysis, score: TextScore | None) -> Cell:
    if score is None:
        return Cell(write.MISSING)
    tokens = f", {write.count(score.tokens)} tokens" if score.tokens is not None else ""
    tip = f"{score.text} · {score.condition} · {score.model}{tokens}\n" + ", ".join(
        f"{write.number(value_)} (seed {seed})" for seed, value_ in score.by_seed.items()
    )
    if score.frequencies is not None:
        tip += f"\nword frequencies alone: {write.number(score.frequencies)}"
    small = ""
    if score.change is not None:
        change = score.change
        small = f"{write.signed(change.delta)} against {score.reference}"
        if change.low is not None:
            level = write.share(analysis.results.run.report.confidence)
            tip += f"\n{small}, {level} interval [{write.signed(change.low)}, {write.signed(change.high)}]"
    return value(write.number(score.mean), score.mean, small=small, tip=tip)


def probability(analysis: Analysis) -> View:
    """Return the probability deltas of the targeted paradigms, with those of the controls."""
    scores = probability_name(analysis)
    level = write.share(analysis.results.run.report.confidence)
    heads = (
        Head("paradigm", number=False),
        Head("condition", number=False),
        Head("model", number=False),
        Head("PΔ full", f"mean over items of {scores.difference} under the full models, {scores.unit}"),
        Head("PΔ after", "the same under the condition's models"),
        Head("ΔPΔ", f"after − full, {scores.unit}, with its {level} Welch t interval over seeds"),
        Head("r", "Pearson's r over items of PΔ before and after; near 1 if pairs keep their relative PΔ"),
        Head("ceiling", "expected r if only the seeds differed, from split halves of the full models' seeds"),
        Head("split-half", "r between halves of the full models' seeds"),
        Head("items"),
    )
    targets = frozenset().union(*analysis.targets.values())
    deltas = [
        delta_row
        for delta_row in analysis.probabilities
        if f"{delta_row.unit.suite}/{delta_row.unit.name}" in targets
        and (delta_row.targeted or _controls(analysis, delta_row.condition, delta_row.unit))
    ]
    rows = []
    for delta_row in deltas:
        change = delta_row.change
        interval = (
            f"[{write.signed(change.low)}, {write.signed(change.high)}]" if change.low is not None else "no interval"
        )
        rows.append(
            (
                text(delta_row.unit.name, "name"),
                text(delta_row.condition, "" if delta_row.targeted else "quiet"),
                text(delta_row.model),
                value(write.signed(delta_row.full), delta_row.full),
                value(write.signed(delta_row.after), delta_row.after),
                value(write.signed(change.delta), change.delta, small=interval),
                value(write.number(delta_row.robustness), delta_row.robustness),
                value(write.number(delta_row.ceiling), delta_row.ceiling),
                value(write.number(delta_row.split_half), delta_row.split_half),
                value(write.count(delta_row.items), delta_row.items),
            )
        )
    return View("probability", heads, tuple(rows))


def _controls(analysis: Analysis, condition: str, unit: Unit) -> bool:
    """Return whether a condition is the control of one that targets the unit."""
    return any(
        f"{unit.suite}/{unit.name}" in keys
        and any(control.name == condition for control in random_controls(analysis.results, name))
        for name, keys in analysis.targets.items()
    )


_INJECTED = (
    Head("requested tokens", "tokens requested for injection"),
    Head("injected tokens"),
    Head("injected targets", "sentences that match a filter used to select the text"),
    Head("replaced tokens", "tokens that the injected text replaced"),
)


def corpora(analysis: Analysis) -> View:
    """Return sizes, removals and overlaps of the conditions."""
    suites = list(dict.fromkeys(suite for condition in analysis.results.conditions for suite in condition.overlap))
    edited = any(condition.edited_words for condition in analysis.results.conditions)
    injected = any(condition.injected_tokens for condition in analysis.results.conditions)
    heads = (
        Head("condition", number=False),
        Head("what", number=False),
        Head("sentences", "of the training corpus, after sampling to the common size"),
        Head("words"),
        Head("tokens", "after encoding"),
        Head("removed sentences"),
        Head("removed words"),
        *((Head("edited words", "words masked or dropped in the remaining sentences"),) if edited else ()),
        *(_INJECTED if injected else ()),
        Head("unknown, %", "share of tokens outside the vocabulary"),
        *(Head(f"in {suite}", f"sentences of {suite} that occur verbatim in the corpus") for suite in suites),
    )
    rows = []
    for row_condition in analysis.results.conditions:
        description = row_condition.what or {
            "full": "full corpus",
            "remove": "without " + write.listed([f.name for f in row_condition.filters]),
            "keep": "only " + write.listed([f.name for f in row_condition.filters]),
            "remove-random": f"random removal of the same amount as {row_condition.control_of}"
            if row_condition.control_of
            else "random removal",
        }.get(row_condition.kind, row_condition.kind)
        counts = [
            row_condition.sentences,
            row_condition.words,
            row_condition.tokens,
            row_condition.removed_sentences,
            row_condition.removed_words,
        ]
        counts += [row_condition.edited_words] if edited else []
        requested = None if row_condition.asked_tokens is None else round(row_condition.asked_tokens)
        counts += (
            [requested, row_condition.injected_tokens, row_condition.injected_targets, row_condition.replaced_tokens]
            if injected
            else []
        )
        rows.append(
            (
                text(row_condition.name, "name"),
                text(description, "quiet prose"),
                *(value(write.count(count), count) for count in counts),
                value(write.percent(row_condition.unknown_rate, 2), row_condition.unknown_rate),
                *(
                    value(write.count(row_condition.overlap.get(suite)), row_condition.overlap.get(suite))
                    for suite in suites
                ),
            )
        )
    return View("corpora", heads, tuple(rows))


def detectable(analysis: Analysis) -> View:
    """Return the detectable deltas."""
    heads = (
        Head("model", number=False),
        Head("cells", number=False),
        Head("paradigms × conditions"),
        Head("SD between seeds, points"),
        Head("seeds per side"),
        Head("smallest detectable delta, points", "80 % power, two-sided 5 %, one uncorrected test"),
    )
    rows = tuple(
        (
            text(entry.model),
            text(entry.cells),
            value(write.count(entry.groups), entry.groups),
            value(write.percent(entry.sd), entry.sd),
            value(write.count(entry.seeds), entry.seeds),
            value(write.percent(entry.delta), entry.delta),
        )
        for entry in analysis.detectable
    )
    return View("detectable", heads, rows)
