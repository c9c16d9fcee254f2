"""Statistics to what the page shows: tables of few columns whose cells hold text, a value to sort by, and a tip."""

from __future__ import annotations

from dataclasses import dataclass

from runner.report.analysis.accuracies import baseline
from runner.report.analysis.score_names import probability_name
from runner.report.analysis.statistics import Accuracy, Analysis, Contrast, TextScore, Unit, controls_of, full_of
from runner.report.figures.heatmap import accuracy_hint, contrast_hint
from runner.report.render import format as write
from runner.report.tables.tables import main_contrast, targeted_cells
from runner.report.views.wide import Row, columns, wide_rows


@dataclass(frozen=True, slots=True)
class Head:
    """A column heading; numbers are set right."""

    title: str
    help: str = ""
    number: bool = True


@dataclass(frozen=True, slots=True)
class Cell:
    """Text, a second smaller line, what to sort by, a tooltip, and a class for its look."""

    text: str
    small: str = ""
    sort: float | str = ""
    tip: str = ""
    look: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """A table as the page shows it; `spans` are headings over columns (title, width)."""

    name: str
    heads: tuple[Head, ...]
    rows: tuple[tuple[Cell, ...], ...]
    spans: tuple[tuple[str, int], ...] = ()
    items: tuple[int | None, ...] = ()  # per row: the paradigm whose pairs can be opened


def text(words: str, look: str = "", tip: str = "") -> Cell:
    """A cell of words."""
    return Cell(words, sort=words, look=look, tip=tip)


def value(shown: str, number: float | None, *, small: str = "", tip: str = "", look: str = "") -> Cell:
    """A cell of a number, sorted as such."""
    return Cell(shown, small, "" if number is None else number, tip, look)


def targeted(analysis: Analysis) -> View:
    """Accuracy under full, control and condition of each targeted cell, both deltas with intervals, corrected tests."""
    level = write.share(analysis.results.run.report.confidence)
    heads = (
        Head("paradigm", "and the condition that targets it", number=False),
        Head("model", number=False),
        Head("full", "mean accuracy over seeds, %"),
        Head("random", "accuracy of the random control, %"),
        Head("after", "accuracy under the condition, %"),
        Head("Δ random", f"condition − control, points, with its {level} Welch t interval over seeds"),
        Head("Δ full", f"condition − full, points, with its {level} Welch t interval over seeds"),
        Head("bootstrap", "interval of Δ random (Δ full where there is no control) over seeds × items, points"),
        Head("p", "two-sided Welch t test of the same delta, uncorrected"),
        Head("Holm", "adjusted over all targeted tests of this kind (family-wise error)"),
        Head("BH", "adjusted over all targeted tests of this kind (false discovery rate)"),
        Head("unigram", "what word frequencies alone reach, %"),
        Head("seeds", "condition + reference"),
    )
    full = full_of(analysis.results)
    rows = []
    for unit, condition, model in targeted_cells(analysis):
        whole = analysis.accuracies.get((unit, full.name, model)) if full else None
        against = main_contrast(analysis, unit, condition, model, "control")
        other = main_contrast(analysis, unit, condition, model, "full")
        control = analysis.accuracies.get((unit, against.reference, model)) if against else None
        main = against or other
        known = baseline(analysis, unit)
        rows.append(
            (
                Cell(unit.name, f"under {condition}", unit.name, look="name"),
                text(model),
                accuracy(whole),
                accuracy(control),
                accuracy(analysis.accuracies.get((unit, condition, model))),
                delta(analysis, against),
                delta(analysis, other),
                value(write.both(main.bootstrap if main else None), main.bootstrap[0])
                if main and main.bootstrap
                else Cell(write.MISSING),
                *(p_value(p) for p in ((main.difference.p, main.holm, main.bh) if main else (None,) * 3)),
                value(write.percent(known), known),
                Cell(f"{main.difference.n_a} + {main.difference.n_b}" if main else write.MISSING),
            )
        )
    return View("targeted", heads, tuple(rows))


def p_value(p: float | None) -> Cell:
    """A cell of a p-value, bold up to 0.05."""
    return value(write.p_value(p), p, look="strong" if p is not None and p <= 0.05 else "")


def accuracy(one: Accuracy | None) -> Cell:
    """An accuracy in percent; its seeds are in the tooltip."""
    if one is None:
        return Cell(write.MISSING)
    return value(write.percent(one.mean), one.mean, tip=accuracy_hint(one))


def delta(analysis: Analysis, contrast: Contrast | None) -> Cell:
    """A delta in points over its interval."""
    if contrast is None:
        return Cell(write.MISSING)
    d = contrast.difference
    look = {"below": "drop", "above": "gain"}.get(contrast.verdict, "")
    return value(
        write.points(d.delta), d.delta, small=write.interval(d), tip=contrast_hint(analysis, contrast), look=look
    )


def paradigms(analysis: Analysis, suite: str) -> tuple[View, View]:
    """Accuracy of every paradigm, and of every group, under every condition and model."""
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
        Head("ties", "share of scored pairs with two equal scores, %, mean over conditions and models"),
        Head("identical", "pairs that a tokenizer makes identical; not applicable, left out"),
        Head("unknown", "pairs with an unknown word"),
        Head("unigram", "what word frequencies alone reach, %"),
        *models,
    )
    rows, groups = wide_rows(analysis, suite)
    single = View(
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
        Head("unigram", "what word frequencies alone reach, %"),
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
    return single, View(f"groups-{suite}", group_heads, group_rows, (("", 4), *spans[1:]))


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
    """Perplexities: conditions down, texts and models across, the change against the reference below."""
    found = {(one.condition, one.text, one.model): one for one in analysis.texts}
    texts = list(dict.fromkeys(one.text for one in analysis.texts))
    across = [(name, model) for name in texts for model in analysis.results.models]
    masked = analysis.results.run.masked
    heads = (
        Head("condition", number=False),
        *(
            Head(
                f"{model} (pseudo)",
                f"pseudo-perplexity of {name}: of masked words, not comparable with a causal model's",
            )
            if model in masked
            else Head(model, f"perplexity of {name}")
            for name, model in across
        ),
    )
    rows = tuple(
        (text(condition.name), *(_perplexity(analysis, found.get((condition.name, *one))) for one in across))
        for condition in analysis.results.conditions
        if any((condition.name, *one) in found for one in across)
    )
    spans = (("", 1), *((name, len(analysis.results.models)) for name in texts))
    return View("perplexity", heads, rows, spans)


def _perplexity(analysis: Analysis, one: TextScore | None) -> Cell:
    if one is None:
        return Cell(write.MISSING)
    counted = f", {write.count(one.tokens)} tokens" if one.tokens is not None else ""
    tip = f"{one.text} · {one.condition} · {one.model}{counted}\n" + ", ".join(
        f"{write.number(each)} (seed {seed})" for seed, each in one.by_seed.items()
    )
    if one.frequencies is not None:
        tip += f"\nword frequencies alone: {write.number(one.frequencies)}"
    small = ""
    if one.change is not None:
        change = one.change
        small = f"{write.signed(change.delta)} against {one.reference}"
        if change.low is not None:
            level = write.share(analysis.results.run.report.confidence)
            tip += f"\n{small}, {level} interval [{write.signed(change.low)}, {write.signed(change.high)}]"
    return value(write.number(one.mean), one.mean, small=small, tip=tip)


def probability(analysis: Analysis) -> View:
    """Probability deltas of the targeted paradigms, condition and control under each other."""
    scores = probability_name(analysis)
    level = write.share(analysis.results.run.report.confidence)
    heads = (
        Head("paradigm", number=False),
        Head("condition", number=False),
        Head("model", number=False),
        Head("PΔ full", f"mean over items of {scores.difference} under the full models, {scores.unit}"),
        Head("PΔ after", "the same under the condition's models"),
        Head("ΔPΔ", f"after − full, {scores.unit}, with its {level} Welch t interval over seeds"),
        Head("r", "Pearson correlation over items of PΔ before and after: 1 if every pair keeps its place"),
        Head("ceiling", "what r would be if only the seeds differed (from split halves of the full models' seeds)"),
        Head("split-half", "r between halves of the full models' seeds"),
        Head("items"),
    )
    aimed = frozenset().union(*analysis.targets.values())
    shown = [
        one
        for one in analysis.probabilities
        if f"{one.unit.suite}/{one.unit.name}" in aimed
        and (one.targeted or _controls(analysis, one.condition, one.unit))
    ]
    rows = []
    for one in shown:
        change = one.change
        small = (
            f"[{write.signed(change.low)}, {write.signed(change.high)}]" if change.low is not None else "no interval"
        )
        rows.append(
            (
                text(one.unit.name, "name"),
                text(one.condition, "" if one.targeted else "quiet"),
                text(one.model),
                value(write.signed(one.full), one.full),
                value(write.signed(one.after), one.after),
                value(write.signed(change.delta), change.delta, small=small),
                value(write.number(one.robustness), one.robustness),
                value(write.number(one.ceiling), one.ceiling),
                value(write.number(one.split_half), one.split_half),
                value(write.count(one.items), one.items),
            )
        )
    return View("probability", heads, tuple(rows))


def _controls(analysis: Analysis, condition: str, unit: Unit) -> bool:
    """Whether a condition is the control of one that targets the unit."""
    return any(
        f"{unit.suite}/{unit.name}" in keys
        and any(one.name == condition for one in controls_of(analysis.results, name))
        for name, keys in analysis.targets.items()
    )


_INJECTED = (
    Head("asked tokens", "to be injected"),
    Head("injected tokens"),
    Head("injected targets", "sentences that a filter which chose the text matches"),
    Head("replaced tokens", "that gave way to them"),
)


def corpora(analysis: Analysis) -> View:
    """Sizes, removals and overlaps of the conditions."""
    suites = list(dict.fromkeys(suite for condition in analysis.results.conditions for suite in condition.overlap))
    edited = any(condition.edited_words for condition in analysis.results.conditions)
    injected = any(condition.injected_tokens for condition in analysis.results.conditions)
    heads = (
        Head("condition", number=False),
        Head("what", number=False),
        Head("sentences", "of the training corpus, after the common size was drawn"),
        Head("words"),
        Head("tokens", "after encoding"),
        Head("removed sentences"),
        Head("removed words"),
        *((Head("edited words", "masked or dropped, in the sentences that are left"),) if edited else ()),
        *(_INJECTED if injected else ()),
        Head("unknown, %", "share of tokens that the vocabulary lacks"),
        *(Head(f"in {suite}", f"sentences of {suite} that occur verbatim in the corpus") for suite in suites),
    )
    rows = []
    for one in analysis.results.conditions:
        what = one.what or {
            "full": "everything",
            "remove": "without " + write.listed([f.name for f in one.filters]),
            "keep": "only " + write.listed([f.name for f in one.filters]),
            "remove-random": f"random removal, as much as {one.control_of}" if one.control_of else "random removal",
        }.get(one.kind, one.kind)
        counts = [one.sentences, one.words, one.tokens, one.removed_sentences, one.removed_words]
        counts += [one.edited_words] if edited else []
        asked = None if one.asked_tokens is None else round(one.asked_tokens)
        counts += [asked, one.injected_tokens, one.injected_targets, one.replaced_tokens] if injected else []
        rows.append(
            (
                text(one.name, "name"),
                text(what, "quiet prose"),
                *(value(write.count(count), count) for count in counts),
                value(write.percent(one.unknown_rate, 2), one.unknown_rate),
                *(value(write.count(one.overlap.get(suite)), one.overlap.get(suite)) for suite in suites),
            )
        )
    return View("corpora", heads, tuple(rows))


def detectable(analysis: Analysis) -> View:
    """The power statement as a table."""
    heads = (
        Head("model", number=False),
        Head("cells", number=False),
        Head("paradigms × conditions"),
        Head("SD between seeds, points"),
        Head("seeds a side"),
        Head("smallest detectable delta, points", "80 % power, two-sided 5 %, one uncorrected test"),
    )
    rows = tuple(
        (
            text(d.model),
            text(d.cells),
            value(write.count(d.groups), d.groups),
            value(write.percent(d.sd), d.sd),
            value(write.count(d.seeds), d.seeds),
            value(write.percent(d.delta), d.delta),
        )
        for d in analysis.detectable
    )
    return View("detectable", heads, rows)
