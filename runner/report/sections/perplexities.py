"""Perplexities of texts and sentences, and probability deltas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from fictdsl.words import counted
from runner import formatting
from runner.report.accuracy_tables import seeds_text
from runner.report.charts import axis
from runner.report.markup import drawing, line, svg_text, tag, tooltip
from runner.report.records import Condition
from runner.report.section import Figure, Section
from runner.report.statistics import Analysis, TextScore, controls_of, probability_name
from runner.score.intervals import WELCH
from runner.tables import Cell, Column, Table, Value, saved


def perplexity(analysis: Analysis) -> Table:
    masked = analysis.results.run.masked
    columns = saved(
        *("text", "model", "condition"),
        perplexity="mean",
        n=lambda score: len(score.by_seed),
        by_seed=lambda score: seeds_text(score.by_seed),
        tokens="tokens",  # of the text
        pseudo=lambda score: score.model in masked,
        frequencies="unigram_perplexity",  # from the training text
        reference="reference",
        change="difference.delta",
        change_low="difference.low",
        change_high="difference.high",
    )
    return Table("perplexity", "Perplexities", columns, tuple(analysis.texts), shown=False)


def perplexities(analysis: Analysis) -> Table:
    scores = {(score.condition, score.text, score.model): score for score in analysis.texts}
    texts = list(dict.fromkeys(score.text for score in analysis.texts))
    models, masked = analysis.results.models, analysis.results.run.masked

    def column(text: str, model: str) -> Column:
        def cell(condition: Condition) -> Cell | Value:
            return _perplexity_cell(analysis, scores.get((condition.name, text, model)))

        key = f"{text}, {model}"
        if model not in masked:
            return Column(key, model, "number", cell, f"perplexity of {text}")
        note = f"pseudo-perplexity of {text}, of masked words; not comparable with a causal model's"
        return Column(key, f"{model} (pseudo)", "number", cell, note)

    columns = (
        Column("condition", "condition", "text", "name", css_class="name"),
        *(column(text, model) for text in texts for model in models),
    )
    scored = {score.condition for score in analysis.texts if score.model in models}
    conditions = tuple(condition for condition in analysis.results.conditions if condition.name in scored)
    spans = (("", 1), *((name, len(models)) for name in texts))
    return Table("perplexities", "", columns, conditions, spans=spans, saved=False)


def _perplexity_cell(analysis: Analysis, score: TextScore | None) -> Cell | Value:
    if score is None:
        return None
    tokens = f", {counted(score.tokens, 'token')}" if score.tokens is not None else ""
    tip = f"{score.text} · {score.condition} · {score.model}{tokens}\n" + ", ".join(
        f"{formatting.number(value)} (seed {seed})" for seed, value in score.by_seed.items()
    )
    if score.unigram_perplexity is not None:
        tip += f"\nword frequencies alone: {formatting.number(score.unigram_perplexity)}"
    small, change = "", score.difference
    if change is not None:
        small = f"{formatting.signed(change.delta)} against {score.reference}"
        if change.low is not None:
            ends = f"[{formatting.signed(change.low)}, {formatting.signed(change.high)}]"
            tip += f"\n{small}, {analysis.level} interval {ends}"
    return Cell(score.mean, small=small, tip=tip)


def probability(analysis: Analysis) -> Table:
    scores = probability_name(analysis)
    change = f"after − full, {scores.unit}, with its {analysis.level} interval ({WELCH.name})"
    columns = (
        Column("suite", "suite", "text", "unit.suite", shown=len(analysis.results.suites) > 1),
        Column("paradigm", "paradigm", "text", "unit.name", css_class="name"),
        Column(
            *("condition", "condition", "text"),
            lambda delta: Cell(delta.condition, css_class="" if delta.targeted else "quiet"),
        ),
        Column("model", "model"),
        *saved("targeted"),
        Column("full", "PΔ full", "signed", help=f"mean over items of {scores.difference} under full, {scores.unit}"),
        Column("after", "PΔ after", "signed", "under_condition", "the same under the condition's models"),
        Column("change", "ΔPΔ", "signed", "difference.delta", change, interval=("change_low", "change_high")),
        *saved(change_low="difference.low", change_high="difference.high"),
        Column("robustness", "r", "number", help="Pearson's r over items of PΔ before and after; near 1 if PΔ is kept"),
        Column("ceiling", "ceiling", "number", help="expected r if only the seeds differed"),
        Column("split_half", "split-half", "number", help="r between halves of the full models' seeds"),
        Column("items", "items", "count"),
    )
    return Table("probability", "Probability deltas", columns, tuple(analysis.probability_deltas), shown=False)


def targeted_probability(analysis: Analysis) -> Table:
    targeting = {
        (key, control.name)
        for name, keys in analysis.targets.items()
        for control in controls_of(analysis.results, name)
        for key in keys
    }

    def keep(row: dict[str, Value]) -> bool:
        return bool(row["targeted"]) or (f"{row['suite']}/{row['paradigm']}", row["condition"]) in targeting

    return probability(analysis).where("targeted-probability", keep)


def perplexity_section(analysis: Analysis) -> Iterator[Section]:
    intro = (
        "exp(−Σ ln p / N) over all predicted tokens of a text, mean over seeds. The second line is the change against "
        "the control or, without one, the full corpus. Perplexities are comparable only between models with the same "
        "vocabulary."
    )
    if analysis.results.run.masked:
        intro += " A pseudo-perplexity is that of masked words; it is comparable only between masked models."
    yield Section("perplexity", "Perplexity", intro, (), (perplexities(analysis), perplexity(analysis)))


def probability_section(analysis: Analysis) -> Iterator[Section]:
    scores = probability_name(analysis)
    intro = (
        f"PΔ of a pair is {scores.difference}, averaged over seeds. It measures the strength of a preference, while "
        "accuracy counts only its direction. r is the correlation of PΔ over pairs before and after the intervention; "
        "the ceiling is its expected value if only the seeds differed. Controls are grey."
    )
    tables = (targeted_probability(analysis), probability(analysis))
    yield Section("probability", "Probability delta", intro, (), tables)


class _Row(NamedTuple):
    model: str
    condition: str
    paradigms: int
    good: float
    bad: float
    full_good: float | None
    full_bad: float | None


def sentences_section(analysis: Analysis) -> Iterator[Section]:
    """Yield a section with the perplexity of texts and of good and bad sentences (Patil et al. 2024, figure 3)."""
    full = analysis.full
    if full is None:
        return
    columns = (
        Column("model", "model", css_class="name"),
        Column("condition", "condition"),
        Column("paradigms", "paradigms", "count", help="all for full; those that a condition targets"),
        Column("good", "good sentences", "number", help="exp(−Σ ln p / tokens), mean over seeds and paradigms"),
        Column("bad", "bad sentences", "number"),
        Column("full_good", "good, under full", "number", help="the same paradigms under full"),
        Column("full_bad", "bad, under full", "number"),
    )
    rows: list[_Row] = []
    for model in analysis.results.models:
        for condition in analysis.results.conditions:
            keys = None if condition.name == full.name else analysis.targets[condition.name]
            own = _sentence_perplexities(analysis, condition.name, model, keys)
            if own is not None and (keys is None or keys):
                under_full = _sentence_perplexities(analysis, full.name, model, keys)
                rows.append(_Row(model, condition.name, *own, *(under_full[1:] if under_full else (None, None))))
    if not rows:
        return
    table = Table("sentences", "", columns, rows)
    intro = (
        "This table shows the mean perplexity of the sentences of suites: under full, over all paradigms, and under "
        "another condition, over the paradigms that it targets. If bad sentences are hardly less likely than good "
        "ones, judgements are weak."
    )
    figure = Figure("sentences", "Perplexity, logarithmic", _dots(analysis, rows))
    yield Section("sentences", "Perplexity of the sentences", intro, (figure,), (table,))


def _sentence_perplexities(
    analysis: Analysis, condition: str, model: str, keys: frozenset[str] | None
) -> tuple[int, float, float] | None:
    means = []
    for paradigm in analysis.results.paradigms:
        if paradigm.sums is None or (keys is not None and paradigm.key not in keys):
            continue
        sums = paradigm.sums[paradigm.rows(condition, model)]
        if len(sums) and (sums[:, [1, 3]] > 0).all():
            means.append(np.exp(np.minimum(-sums[:, [0, 2]] / sums[:, [1, 3]], 700.0)).mean(axis=0))
    if not means:
        return None
    good, bad = np.mean(means, axis=0)
    return len(means), float(good), float(bad)


# labels, CSS classes and places in the legend
MARKS = (("test text", "estimate", 0), ("good sentences", "control", 90), ("bad sentences", "after", 210))


def _dots(analysis: Analysis, rows: Sequence[_Row]) -> str:
    test = {(score.model, score.condition): score.mean for score in analysis.texts if score.text == "test"}
    names = [f"{row.model}, {row.condition}" for row in rows]
    left = max(map(len, names)) * 6.6 + 16
    marked = [(test.get((row.model, row.condition)), *row[3:]) for row in rows]
    values = [value for perplexities in marked for value in perplexities if value is not None]
    x_axis = axis([min(values) * 0.96, max(values) * 1.04], left, 460, log=True)
    height = 24 + 24 * len(rows)
    body = [line(x_axis(tick), 16, x_axis(tick), height, "rule") for tick in x_axis.ticks()]
    body += [svg_text(f"{tick:g}", x_axis(tick), 10, class_="small muted middle") for tick in x_axis.ticks()]
    for i, (name, (text, good, bad, full_good, full_bad)) in enumerate(zip(names, marked, strict=True)):
        y = 30 + 24 * i
        body.append(svg_text(name, left - 10, y + 4, class_="end"))
        for label, perplexity, css_class in (
            ("test text", text, "estimate"),
            ("good sentences under full", full_good, "hollow"),
            ("bad sentences under full", full_bad, "hollow"),
            ("good sentences", good, "control"),
            ("bad sentences", bad, "after"),
        ):
            if perplexity is not None:
                tip = tooltip(f"{name}: {label} {formatting.number(perplexity)}")
                body.append(tag("circle", tip, cx=x_axis(perplexity), cy=y, r=4.4, class_=css_class))
    y = height + 16
    for label, css_class, x in (*MARKS, ("under full", "hollow", 325)):
        body.append(tag("circle", cx=left + x, cy=y - 4, r=4.4, class_=css_class))
        body.append(svg_text(label, left + x + 9, y, class_="small muted"))
    return drawing(body, left + 500, height + 26, "Perplexity of texts and of sentences")


SECTIONS = {40: perplexity_section, 60: probability_section, 180: sentences_section}
