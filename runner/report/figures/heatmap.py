"""Accuracies and deltas to a heatmap as in FiCT's figure 2: paradigms down, conditions and models across."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from runner.report.analysis.statistics import Accuracy, Analysis, Contrast, Unit, controls_of, full_of
from runner.report.render import format as write
from runner.report.render.svg import CHARACTER, box, drawing, escaped, hint, line, tag, words
from runner.report.tables.tables import main_contrast

ACCURACY_EDGES = (40, 50, 60, 70, 80, 90)  # percent
DELTA_EDGES = (1, 3, 6, 10, 15, 25)  # points
WIDTH, HEIGHT, GAP = 64, 22, 2
TITLE = 7.2  # a character of a heading


@dataclass(frozen=True, slots=True)
class Across:
    """A column: accuracy of a condition (`against` None), or its delta against full or its control."""

    condition: str
    model: str
    against: str | None
    x: float


@dataclass(frozen=True, slots=True)
class Span:
    """A heading over neighbouring columns."""

    text: str
    start: float
    end: float


def accuracy_class(value: float) -> str:
    """0.863 → `a5`: how many edges (in percent) it reaches."""
    return f"a{bisect_right(ACCURACY_EDGES, 100 * value)}"


def delta_class(value: float) -> str:
    """−0.302 → `n6`, 0.004 → `z`, 0.04 → `p2`."""
    step = bisect_right(DELTA_EDGES, abs(100 * value))
    return "z" if step == 0 else f"{'p' if value > 0 else 'n'}{step}"


def heatmap(analysis: Analysis, suite: str, *, every: bool = False) -> str:
    """The figure for one suite, as an `<svg>` without style; `every` condition with its accuracies, or with deltas."""
    sections = _sections(analysis, suite)
    names = [unit.name for _, units in sections for unit in units]
    left = max(len(name) for name in names) * CHARACTER + 16
    columns, titles, subtitles, right = _layout(analysis, left, every=every)
    top = 44 + max(len(model) for model in analysis.results.models) * 4.6
    body = [words(span.text, span.start, 16, class_="head") for span in titles]
    body += [line(s.start, 22, s.end, 22, "axis") for s in titles]
    body += [words(span.text, span.start, 37, class_="muted small") for span in subtitles]
    body += [_slanted(column, top - 6) for column in columns]
    y = top
    for title, units in sections:
        if title:
            body.append(words(title.replace("_", " ").upper(), 0, y + 17, class_="section"))
            body.append(line(0, y + 23.5, right, y + 23.5, "rule"))
            y += 27
        for unit in units:
            bold = "head" if unit.level == "suite" else None
            label = "mean over paradigms" if unit.level == "suite" else unit.name
            body.append(words(label, left - 10, y + 15, class_=f"end {bold or ''}".strip()))
            body += [_cell(analysis, unit, column, y) for column in columns]
            y += HEIGHT + GAP
        y += 6
    legend, height = _legend(y + 10, analysis)
    overhang = max(len(model) for model in analysis.results.models) * 5.4 - WIDTH / 2
    width = max(right + max(8, overhang), 940)
    return drawing([*body, *legend], width, y + 10 + height, f"Accuracy and accuracy deltas on {suite}")


def _sections(analysis: Analysis, suite: str) -> list[tuple[str, list[Unit]]]:
    """Targeted paradigms first, then the rest by phenomenon, then the mean."""
    aimed = frozenset().union(*analysis.targets.values())
    paradigms = [p for p in analysis.results.paradigms if p.suite == suite]
    first = [Unit("paradigm", suite, p.name) for p in paradigms if p.key in aimed]
    groups: dict[str, list[Unit]] = {}
    for paradigm in paradigms:
        if paradigm.key not in aimed:
            group = paradigm.phenomenon or "other paradigms"
            groups.setdefault(group, []).append(Unit("paradigm", suite, paradigm.name))
    sections = [("targeted by a filter", first)] if first else []
    sections += [(name, groups[name]) for name in sorted(groups)]
    whole = Unit("suite", suite, suite)
    return [*sections, ("all", [whole])] if any(unit == whole for unit, _, _ in analysis.accuracies) else sections


def _layout(analysis: Analysis, left: float, *, every: bool) -> tuple[list[Across], list[Span], list[Span], float]:
    """Columns with their places, headings over conditions, headings over references, and the right edge."""
    results = analysis.results
    full = full_of(results)
    columns: list[Across] = []
    titles: list[Span] = []
    subtitles: list[Span] = []
    x = left
    for condition in results.conditions:
        blocks: list[str | None] = []
        if every or condition.kind == "full" or full is None:
            blocks = [None]
        elif condition.control_of is None:
            blocks = ["full", "control"] if controls_of(results, condition.name) else ["full"]
        if not blocks:
            continue
        start = x
        for against in blocks:
            label = {None: "accuracy, %", "full": "Δ full", "control": "Δ random"}[against]
            first = x
            for model in results.models:
                columns.append(Across(condition.name, model, against, x))
                x += WIDTH + GAP
            subtitles.append(Span(label, first, x - GAP))
            x += 6
        titles.append(Span(condition.name, start, x - 6 - GAP))
        x = max(x + 12, start + len(condition.name) * TITLE + 18)
    return columns, titles, subtitles, x - 18 - GAP


def _slanted(column: Across, y: float) -> str:
    x = column.x + WIDTH / 2 - 4
    place = f"translate({x:.1f} {y:.1f}) rotate(-35)"
    return tag("text", escaped(column.model), transform=place, class_="small")


def _cell(analysis: Analysis, unit: Unit, column: Across, y: float) -> str:
    if column.against is None:
        one = analysis.accuracies.get((unit, column.condition, column.model))
        if one is None:
            return box(column.x, y, WIDTH, HEIGHT, "none")
        shade = accuracy_class(one.mean)
        aimed = f"{unit.suite}/{unit.name}" in analysis.targets.get(column.condition, ()) and unit.level == "paradigm"
        return _tile(column.x, y, shade, write.percent(one.mean), tip=accuracy_hint(one), targeted=aimed)
    found = main_contrast(analysis, unit, column.condition, column.model, column.against)
    if found is None:
        return box(column.x, y, WIDTH, HEIGHT, "none")
    mark = {"below": " ▾", "above": " ▴"}.get(found.verdict, "")
    text = write.points(found.difference.delta) + mark
    if found.targeted and found.holm is not None and found.holm <= 0.05:
        text += "‡"
    elif found.targeted and found.bh is not None and found.bh <= 0.05:
        text += "†"
    tip = contrast_hint(analysis, found)
    return _tile(column.x, y, delta_class(found.difference.delta), text, tip=tip, targeted=found.targeted)


def _tile(x: float, y: float, shade: str, text: str, *, tip: str, targeted: bool = False) -> str:
    inside = [hint(tip), box(x, y, WIDTH, HEIGHT, shade)]
    if targeted:
        inside.append(box(x + 1, y + 1, WIDTH - 2, HEIGHT - 2, "target"))
    inside.append(words(text, x + WIDTH / 2, y + 15, class_=f"middle on-{shade}"))
    return tag("g", *inside)


def accuracy_hint(one: Accuracy) -> str:
    """What stands in the tooltip of an accuracy."""
    seeds = ", ".join(f"{write.percent(value)} (seed {seed})" for seed, value in one.by_seed.items())
    return f"{one.unit.name} · {one.condition} · {one.model}\naccuracy {write.percent(one.mean)} %: {seeds}"


def contrast_hint(analysis: Analysis, one: Contrast) -> str:
    """What stands in the tooltip of a delta."""
    d = one.difference
    level = write.share(analysis.results.run.report.confidence)
    lines = [
        f"{one.unit.name} · {one.model}",
        f"{one.condition} {write.percent(d.mean_a)} − {one.reference} {write.percent(d.mean_b)}"
        f" = {write.points(d.delta)} points",
        f"{level} interval {write.interval(d)} (Welch t, {d.n_a} + {d.n_b} seeds)",
    ]
    if d.note:
        lines.append(d.note)
    if one.bootstrap is not None:
        lines.append(f"bootstrap over seeds and items {write.both(one.bootstrap)}")
    if one.targeted:
        lines.append(f"targeted; p {write.p_value(d.p)}, Holm {write.p_value(one.holm)}, BH {write.p_value(one.bh)}")
    return "\n".join(lines)


def _legend(y: float, analysis: Analysis) -> tuple[list[str], float]:
    """Both colour scales and what the marks mean."""
    body = [words("accuracy, %", 0, y + 14, class_="small muted")]
    x = 92.0
    for step in range(7):
        body.append(box(x, y + 3, 30, 14, f"a{step}"))
        if step:
            body.append(words(str(ACCURACY_EDGES[step - 1]), x, y + 29, class_="small muted middle"))
        x += 31
    x += 34
    body.append(words("delta, points", x, y + 14, class_="small muted"))
    x += 82
    shades = [*(f"n{i}" for i in range(6, 0, -1)), "z", *(f"p{i}" for i in range(1, 7))]
    edges = [*(write.MINUS + str(e) for e in reversed(DELTA_EDGES)), *(f"+{e}" for e in DELTA_EDGES)]
    for i, shade in enumerate(shades):
        body.append(box(x, y + 3, 28, 14, shade))
        if i:
            body.append(words(edges[i - 1], x, y + 29, class_="small muted middle"))
        x += 29
    level = write.share(analysis.results.run.report.confidence)
    body.append(box(1, y + 42, 22, 13, "target"))
    marks = (
        f"targeted by the condition's filters  ·  ▾ ▴ {level} interval (Welch t over seeds) wholly below, above 0"
        "  ·  † Benjamini-Hochberg, ‡ Holm over the targeted cells at 5 %"
    )
    body.append(words(marks, 32, y + 53, class_="small muted"))
    return body, 66
