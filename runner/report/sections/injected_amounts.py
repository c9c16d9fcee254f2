"""Injected paradigms down, the base corpus, other text and each amount across (injection paper, tables 2 and 3)."""

from __future__ import annotations

from runner.report import format as write
from runner.report.names import slug
from runner.report.statistics import Accuracy, Analysis, Unit, amount, full_of
from runner.report.table import Column, Table
from runner.report.views import Head, View, accuracy, text, value


def amounts(analysis: Analysis, model: str) -> tuple[View, Table] | None:
    """A row a paradigm: full, each control, each amount of text about it, and what the largest amount gains."""
    full = full_of(analysis.results)
    injected = [c for c in analysis.results.conditions if c.kind == "inject"]
    about = [c for c in injected if analysis.targets.get(c.name) and amount(c) is not None]
    others = [c for c in injected if not analysis.targets.get(c.name)]
    shares = sorted({share for c in about if (share := amount(c)) is not None})
    if full is None or not about:
        return None
    keys = list(dict.fromkeys(key for c in about for key in sorted(analysis.targets[c.name])))
    heads = (
        Head("paradigm", number=False),
        Head("full", "the base corpus"),
        *(Head(c.name, f"text about none of them, {_percent(amount(c))}") for c in others),
        *(Head(_percent(share), "of the tokens are about the paradigm") for share in shares),
        Head("Δ", "the largest amount − full, points"),
    )
    columns = (
        *(Column(name, name) for name in ("suite", "paradigm")),
        Column("full", "full", "percent"),
        *(Column(f"control_{c.name}", c.name, "percent") for c in others),
        *(Column(f"share_{share:g}", _percent(share), "percent") for share in shares),
        Column("delta", "largest − full", "points"),
    )
    rows, cells = [], []
    for key in keys:
        suite, _, name = key.rpartition("/")
        unit = Unit("paradigm", suite, name)
        by_share = {amount(c): c.name for c in about if key in analysis.targets[c.name]}
        names = [full.name, *(c.name for c in others), *(by_share.get(share, "") for share in shares)]
        found: list[Accuracy | None] = [analysis.accuracies.get((unit, each, model)) for each in names]
        largest = next((one for one in reversed(found[1 + len(others) :]) if one is not None), None)
        gain = largest.mean - found[0].mean if largest is not None and found[0] is not None else None
        look = "" if gain is None else "gain" if gain > 0 else "drop"
        delta = value(write.points(gain), gain, look=look)
        cells.append((text(name, "name"), *map(accuracy, found), delta))
        rows.append((suite, name, *(one.mean if one else None for one in found), gain))
    table = slug(f"injected-amounts-{model}")
    return View(table, heads, tuple(cells)), Table(table, f"By amount, {model}", columns, tuple(rows))


def _percent(share: float | None) -> str:
    return write.MISSING if share is None else f"{100 * share:g} %"
