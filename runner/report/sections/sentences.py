"""Perplexity of the good and bad sentences of suites, and of texts (Patil et al. 2024, figure 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from runner import formatting
from runner.report.charts import axis
from runner.report.markup import drawing, line, svg_text, tag, tooltip
from runner.report.section import Figure, Section
from runner.report.statistics import Analysis, full_condition
from runner.tables import Column, Table


class _Row(NamedTuple):
    """The perplexities of good and bad sentences under a condition and under full."""

    model: str
    condition: str
    paradigms: int
    good: float
    bad: float
    full_good: float | None
    full_bad: float | None


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield a section with the perplexity of texts and of good and bad sentences.

    They are scored under the full-corpus condition and under each other condition.
    """
    full = full_condition(analysis.results)
    if full is None:
        return
    columns = (
        Column("model", "model", look="name"),
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
            is_full = condition.name == full.name
            keys = None if is_full else analysis.targets[condition.name]
            perplexities = _perplexities(analysis, condition.name, model, keys)
            if perplexities is not None and (is_full or keys):
                full_perplexities = _perplexities(analysis, full.name, model, keys)
                count, good, bad = perplexities
                full_good, full_bad = full_perplexities[1:] if full_perplexities else (None, None)
                rows.append(_Row(model, condition.name, count, good, bad, full_good, full_bad))
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


def _perplexities(
    analysis: Analysis, condition: str, model: str, keys: frozenset[str] | None
) -> tuple[int, float, float] | None:
    """Return the number of paradigms with sums, and the mean perplexity of their good and bad sentences, or None.

    Paradigms are limited to `keys` unless it is None.
    """
    means = []
    for paradigm in analysis.results.paradigms:
        if paradigm.sums is None or (keys is not None and paradigm.key not in keys):
            continue
        rows = [i for i, cell in enumerate(paradigm.cells) if (cell.condition, cell.model) == (condition, model)]
        sums = paradigm.sums[rows]
        if rows and (sums[:, [1, 3]] > 0).all():
            means.append(np.exp(np.minimum(-sums[:, [0, 2]] / sums[:, [1, 3]], 700.0)).mean(axis=0))
    if not means:
        return None
    good, bad = np.mean(means, axis=0)
    return len(means), float(good), float(bad)


def _dots(analysis: Analysis, rows: Sequence[_Row]) -> str:
    """Draw a row of dots per model and condition: the test text, good and bad sentences. Hollow dots are under full."""
    text_perplexities = {
        (score.text, score.condition, score.model): sum(score.by_seed.values()) / len(score.by_seed)
        for score in analysis.texts
    }
    names = [f"{row.model}, {row.condition}" for row in rows]
    left = max(map(len, names)) * 6.6 + 16
    values = [value for row in rows for value in row[3:] if value is not None]
    test_perplexities = [text_perplexities.get(("test", row.condition, row.model)) for row in rows]
    values += [value for value in test_perplexities if value is not None]
    x_axis = axis([min(values) * 0.96, max(values) * 1.04], left, 460, log=True)
    height = 24 + 24 * len(rows)
    body = [line(x_axis(tick), 16, x_axis(tick), height, "rule") for tick in x_axis.ticks()]
    body += [svg_text(f"{tick:g}", x_axis(tick), 10, class_="small muted middle") for tick in x_axis.ticks()]
    for i, (row, name) in enumerate(zip(rows, names, strict=True)):
        y = 30 + 24 * i
        good, bad, full_good, full_bad = row[3:]
        body.append(svg_text(name, left - 10, y + 4, class_="end"))
        for label_text, perplexity, css_class in (
            ("test text", test_perplexities[i], "estimate"),
            ("good sentences under full", full_good, "hollow"),
            ("bad sentences under full", full_bad, "hollow"),
            ("good sentences", good, "control"),
            ("bad sentences", bad, "after"),
        ):
            if perplexity is not None:
                tip = tooltip(f"{name}: {label_text} {formatting.number(perplexity)}")
                body.append(tag("circle", tip, cx=x_axis(perplexity), cy=y, r=4.4, class_=css_class))
    y = height + 16
    for x, css_class, label in ((left, "estimate", "test text"), (left + 90, "control", "good sentences"),
                           (left + 210, "after", "bad sentences"), (left + 325, "hollow", "under full")):  # fmt: skip
        body.append(tag("circle", cx=x, cy=y - 4, r=4.4, class_=css_class))
        body.append(svg_text(label, x + 9, y, class_="small muted"))
    return drawing(body, left + 500, height + 26, "Perplexity of texts and of sentences")


SECTIONS = {180: sections}
