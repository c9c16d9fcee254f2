"""Injected paradigms down, the base corpus, other text and each amount across (injection paper, tables 2 and 3)."""

from __future__ import annotations

from collections.abc import Sequence

from runner.report.analysis.statistics import Accuracy, Analysis, Unit, amount, full_of
from runner.report.render import format as write
from runner.report.render.names import slug
from runner.report.results.results import Condition
from runner.report.tables.table import Column, Table
from runner.report.views.views import Head, View, accuracy, delta, text


def amounts(analysis: Analysis, model: str) -> tuple[View, Table] | None:
    """A row a paradigm: full, each control, each amount of text about it, and what the largest amount gains.

    Where two conditions of a paradigm share an amount, each is a column; where it is the largest, there is no one gain.
    """
    full = full_of(analysis.results)
    injected = [c for c in analysis.results.conditions if c.kind == "inject"]
    about = [c for c in injected if analysis.targets.get(c.name) and amount(c) is not None]
    others = [c for c in injected if not analysis.targets.get(c.name)]
    if full is None or not about:
        return None
    keys = list(dict.fromkeys(key for c in about for key in sorted(analysis.targets[c.name])))
    across = _across(analysis, about)
    heads = (
        Head("paradigm", number=False),
        Head("full", "the base corpus"),
        *(Head(c.name, f"text about none of them, {_percent(amount(c))}") for c in others),
        *(Head(_title(share, name), "of the tokens are about the paradigm") for share, name, _ in across),
        Head("Δ", "the largest amount − full, points; see each condition where two are as large"),
    )
    columns = (
        *(Column(name, name) for name in ("suite", "paradigm")),
        Column("full", "full", "percent"),
        *(Column(f"control_{c.name}", c.name, "percent") for c in others),
        *(
            Column(f"share_{share:g}" + (f"_{name}" if name else ""), _title(share, name), "percent")
            for share, name, _ in across
        ),
        Column("delta", "largest − full", "points"),
    )
    rows, cells = [], []
    for key in keys:
        suite, _, name = key.rpartition("/")
        unit = Unit("paradigm", suite, name)
        names = [full.name, *(c.name for c in others), *(conditions.get(key, "") for _, _, conditions in across)]
        found: list[Accuracy | None] = [analysis.accuracies.get((unit, each, model)) for each in names]
        scored = [(place[0], one) for place, one in zip(across, found[1 + len(others) :], strict=True) if one]
        largest = [one for share, one in scored if share == scored[-1][0]]
        gain = analysis.contrasts.get((unit, largest[0].condition, model, full.name)) if len(largest) == 1 else None
        cells.append((text(name, "name"), *map(accuracy, found), delta(analysis, gain)))
        rows.append(
            (suite, name, *(one.mean if one else None for one in found), gain.difference.delta if gain else None)
        )
    table = slug(f"injected-amounts-{model}")
    return View(table, heads, tuple(cells)), Table(table, f"By amount, {model}", columns, tuple(rows))


def _across(analysis: Analysis, about: Sequence[Condition]) -> list[tuple[float, str, dict[str, str]]]:
    """The columns of amounts: the share, a condition's name where a paradigm has two of it, conditions by paradigm."""
    found = []
    for share in sorted({share for c in about if (share := amount(c)) is not None}):
        aimed = {c.name: analysis.targets[c.name] for c in about if amount(c) == share}
        if sum(map(len, aimed.values())) == len(frozenset().union(*aimed.values())):
            found.append((share, "", {key: name for name, keys in aimed.items() for key in keys}))
        else:
            found += [(share, name, dict.fromkeys(keys, name)) for name, keys in aimed.items()]
    return found


def _title(share: float, name: str) -> str:
    return f"{_percent(share)}, {name}" if name else _percent(share)


def _percent(share: float | None) -> str:
    return write.MISSING if share is None else f"{100 * share:g} %"
