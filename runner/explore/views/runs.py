"""Tables of finished runs, their paradigms and pairs, and the trees of a pair."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fictdsl.draw.svg import escaped, tag
from fictdsl.draw.text import safe
from fictdsl.draw.tree import Tree
from runner.counted import counted
from runner.explore.views.rows import arcs_html, tree_html
from runner.explore.views.tables import lines_html

PAIRS = 50  # pairs of a page
_SIZES = ("conditions", "models", "seeds", "paradigms", "pairs")


@dataclass(frozen=True)
class RunSummary:
    """A run with its numbers of conditions, models, seeds, paradigms and pairs, or the reason why it cannot be read."""

    name: str
    description: str = ""
    sizes: tuple[int, int, int, int, int] | None = None
    problem: str = ""


@dataclass(frozen=True)
class PairScores:
    """The scores of a pair's sentences under a condition and model, averaged over seeds; NaN if there are none."""

    condition: str
    model: str
    good: float
    bad: float
    unit: str


def runs_html(runs: Sequence[RunSummary]) -> str:
    """Return a table of runs, with buttons that open their paradigms."""
    rows = [_run(run_index, run) for run_index, run in enumerate(runs)]
    return _table(["run", "description", *_SIZES], rows, 2) if rows else lines_html(["There is no finished run."])


def _run(run_index: int, run: RunSummary) -> list[str]:
    if run.sizes is None:
        return [_escaped_text(run.name), _escaped_text(run.problem), *("" for _ in _SIZES)]
    return [_open_button(run.name, run_index), _escaped_text(run.description), *(f"{size:,}" for size in run.sizes)]


def paradigms_html(
    run_index: int, run: str, conditions: Sequence[str], rows: Sequence[tuple[str, int, Sequence[float | None]]]
) -> str:
    """Return a table of accuracies by paradigm and condition, with buttons that open the pairs of a paradigm.

    Each of `rows` has the name of a paradigm, its number of pairs, and its accuracy under each condition.
    """
    body = [
        [
            _open_button(name, run_index, paradigm_index) if pairs else _escaped_text(name),
            f"{pairs:,}",
            *("–" if value is None else f"{value:.1%}" for value in accuracies),
        ]
        for paradigm_index, (name, pairs, accuracies) in enumerate(rows)
    ]
    note = "Accuracies are means over models and seeds." if rows else "The run has no pairs."
    return _path(run=(run, None)) + lines_html([note]) + _table(["paradigm", "pairs", *conditions], body, 1)


def pairs_html(
    page: tuple[int, int, int],
    heading: tuple[str, str, int],
    conditions: Sequence[str],
    rows: Sequence[tuple[int, str, str, Sequence[tuple[float, int]]]],
) -> str:
    """Return a table of pairs, with the share of each condition's models that prefer the good sentence.

    `page` has the indices of the run, of the paradigm and of the first pair. `heading` has the name of the run, that of
    the paradigm and the number of pairs. Each of `rows` has the index and the sentences of a pair, and for each
    condition the number of models that prefer the good sentence and the number of all models.
    """
    run_index, paradigm_index, offset = page
    run, paradigm, total = heading
    body = [
        [
            _open_button(f"{item + 1}", run_index, paradigm_index, item),
            _sentence(good),
            _sentence(bad),
            *map(_share, preferring_models),
        ]
        for item, good, bad, preferring_models in rows
    ]
    count = f"{offset + 1:,}–{offset + len(rows):,} of {counted(total, 'pair')}" if rows else counted(total, "pair")
    intro = f"{count}. A column has the share of its models that prefer the good sentence."
    path = _path(run=(run, run_index), paradigm=(paradigm, None))
    pages = "".join(
        _button(label, data_run=f"{run_index}", data_paradigm=f"{paradigm_index}", data_offset=f"{start}")
        for label, start in (("‹ previous", max(0, offset - PAIRS)), ("next ›", offset + PAIRS))
        if start != offset and start < total
    )
    table = _table(["pair", "good", "bad", *conditions], body, 3)
    return path + lines_html([intro]) + table + tag("p", pages, class_="path")


def pair_html(
    texts: Sequence[str], trees: Sequence[Sequence[Tree]], scores: Sequence[PairScores], *, has_parses: bool
) -> str:
    """Return the trees of the good and the bad sentence, and the scores of both."""
    absent = "The parses of the suite lack this sentence."
    missing = lines_html([absent if has_parses else "There are no parses of the suite; see --parses."])
    sides = []
    for side, text, drawn in zip(("good", "bad"), texts, trees, strict=True):
        heading = tag("h3", f"{side}: {tag('bdi', _escaped_text(text))}")
        drawings = "".join(arcs_html(tree) + tree_html(tree) for tree in drawn)
        sides.append(tag("section", heading, drawings or missing))
    rows = [
        [
            _escaped_text(scores_of_model.condition),
            _escaped_text(scores_of_model.model),
            *(f"{value:,.2f}" for value in (scores_of_model.good, scores_of_model.bad)),
            _difference(scores_of_model),
        ]
        for scores_of_model in scores
    ]
    unit = f"difference, {scores[0].unit}" if scores else "difference"
    return tag("div", *sides, class_="pair") + _table(["condition", "model", "good", "bad", unit], rows, 2)


def _difference(scores: PairScores) -> str:
    return f"{scores.good - scores.bad:+,.2f}"


def _share(preferring_models: tuple[float, int]) -> str:
    count, total = preferring_models
    return f"{count:g} of {total}" if total else "–"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], text_columns: int) -> str:
    """Return a table of markup whose first `text_columns` columns are text and whose other columns are numbers."""
    classes = [None if index < text_columns else "number" for index in range(len(columns))]
    heads = "".join(
        tag("th", _escaped_text(name), scope="col", class_=kind) for name, kind in zip(columns, classes, strict=True)
    )
    body = [
        tag("tr", *(tag("td", cell or " ", class_=kind) for cell, kind in zip(row, classes, strict=True)))
        for row in rows
    ]
    return tag("table", tag("thead", tag("tr", heads)), tag("tbody", *body), class_="counts")


def _path(**steps: tuple[str, int | None]) -> str:
    """Return buttons that lead back to all runs and, for each step with an index, to its table."""
    parts = [_button("runs")]
    for name, index in steps.values():
        parts.append(_escaped_text(name) if index is None else _open_button(name, index))
    return tag("p", " › ".join(parts), class_="path")


def _open_button(label: str, *indices: int) -> str:
    keys = ("data_run", "data_paradigm", "data_pair")
    return _button(label, **{key: str(index) for key, index in zip(keys, indices, strict=False)})


def _button(label: str, **attributes: str) -> str:
    breakable = re.sub(r"(?<=[/_])(?=.)", "<wbr/>", _escaped_text(label))
    return tag("button", breakable, type="button", class_="go", **attributes)


def _sentence(text: str) -> str:
    return tag("bdi", _escaped_text(text))


def _escaped_text(text: str) -> str:
    return escaped(safe(text))
