"""WinoBias: how much likelier stereotypes are, by the pronoun's gender, never pooled over it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import numpy as np
from scipy import stats

from runner.manifest.model import BASELINE
from runner.report.analysis.score_names import NAMES, ScoreName, score_name
from runner.report.analysis.statistics import Analysis
from runner.report.figures.lines import LINE, Series, keys, over_seeds, panel, stage_keys
from runner.report.render import format as write
from runner.report.render.names import slug
from runner.report.render.plot import axis
from runner.report.render.svg import drawing
from runner.report.results.results import Point
from runner.report.sections.between_models import numbers
from runner.report.sections.curves import along, by_name
from runner.report.tables.table import Column, Table
from runner.report.views.section import Figure, Section
from runner.report.views.views import Cell, Head, View, text, value
from runner.score.statistics.scaling import scale_of
from runner.score.suites.winobias import PARADIGM, opposed

GENDERS = ("female", "male")
LEFT, TOP, WIDTH, HEIGHT = 54, 34, 460, 230
KEYS, STAGES = 190, 400  # room for names to the right, and for those of stages below
ALONG = "training tokens"
Key = tuple[str, str, str, str, str]  # condition, model, split, type, gender


def winobias(analysis: Analysis) -> Section | None:
    """A table of differences by split, type and gender, and its course over training where checkpoints were scored."""
    scores = _scores(analysis)
    found = _deltas(analysis)
    curves = _curves(analysis, scores)
    if not found and not curves:
        return None
    delta = _delta(scores)
    table = _table(analysis, found, delta)
    sides = ("anti", "pro") if _losses_are(scores) else ("pro", "anti")
    first, second = (f"{delta[1:]}({side}-stereotyped)" for side in sides)
    said = (
        f"{delta} = {first} − {second}{_unit(scores)}, the mean over pairs, by the gender of the pronoun in the "
        "anti-stereotyped sentence. Above zero, the stereotype is likelier. A model that merely prefers one pronoun is "
        "above zero for one gender and as far below for the other: two opposite curves, which a mean over gender would "
        "hide. A stereotype proper raises both."
    )
    shown = (("", _view(table, delta)),) if found else ()
    return Section("winobias", "WinoBias", said, tuple(curves), shown, (table,))


def _scores(analysis: Analysis) -> ScoreName:
    """What the scores of the suites are called that hold WinoBias."""
    names = [paradigm.key for paradigm in analysis.results.paradigms]
    names += [f"{one.suite}/{one.paradigm}" for one in analysis.results.deltas]
    names += [point.benchmark for point in analysis.results.points if point.metric == "delta"]
    found = {name.rpartition("/")[0] for name in names if opposed(_name(name))}
    return score_name(analysis.results.run, found)


def _losses_are(scores: ScoreName) -> bool:
    """Whether a score is a log-probability, whose negative is a loss."""
    return scores in (NAMES["sum"], NAMES["mean"])


def _delta(scores: ScoreName) -> str:
    """What is shown is called: ΔNLL, or after what is no log-probability, as ΔSLOR."""
    return "ΔNLL" if _losses_are(scores) else f"Δ{scores.term}"


def _unit(scores: ScoreName) -> str:
    """The unit behind a name, where the name does not say it."""
    return "" if scores.unit == scores.term else f", {scores.unit}"


def _deltas(analysis: Analysis) -> dict[Key, dict[int, float]]:
    """Means over pairs by seed, of scores or as given."""
    found: dict[Key, dict[int, float]] = {}
    for paradigm in analysis.results.paradigms:
        what = PARADIGM.fullmatch(paradigm.name)
        if what is None or not len(paradigm.item):
            continue
        with np.errstate(invalid="ignore"):
            each = paradigm.score_good - paradigm.score_bad
        for cell, row in zip(paradigm.cells, each, strict=True):
            if cell.model != BASELINE and np.isfinite(row).any():
                key = (cell.condition, cell.model, what["split"], what["type"], what["gender"])
                found.setdefault(key, {})[cell.seed] = float(np.nanmean(row))
    for one in analysis.results.deltas:
        what = PARADIGM.fullmatch(one.paradigm)
        if what is not None:
            key = (one.condition, one.model, what["split"], what["type"], what["gender"])
            found.setdefault(key, {})[one.seed] = one.value
    return found


def _table(analysis: Analysis, found: Mapping[Key, Mapping[int, float]], delta: str) -> Table:
    confidence = analysis.results.run.report.confidence
    columns = [Column(name, name) for name in ("condition", "model", "split", "type")]
    for gender in GENDERS:
        columns += [
            Column(gender, f"{gender} {delta}", "number", f"the pronoun of the anti-stereotyped sentence is {gender}"),
            Column(f"{gender}_low", "low", "number", "t interval over seeds"),
            Column(f"{gender}_high", "high", "number", "t interval over seeds"),
        ]
    columns.append(Column("n", "seeds", "count"))
    rows = []
    for cell in dict.fromkeys(key[:4] for key in found):
        values = [_interval(list(found.get((*cell, gender), {}).values()), confidence) for gender in GENDERS]
        seeds = max(len(found.get((*cell, gender), {})) for gender in GENDERS)
        rows.append((*cell, *values[0], *values[1], seeds))
    return Table("winobias", "WinoBias", tuple(columns), tuple(rows))


def _interval(values: list[float], confidence: float) -> tuple[float | None, float | None, float | None]:
    """The mean over seeds with its t interval, where there are two seeds or more."""
    if not values:
        return None, None, None
    mean = math.fsum(values) / len(values)
    if len(values) < 2:
        return mean, None, None
    unit = scale_of(np.asarray(values))
    spread = unit * float(np.std(np.asarray(values) / unit, ddof=1)) / math.sqrt(len(values))
    half = float(stats.t.ppf((1 + confidence) / 2, len(values) - 1)) * spread
    return mean, mean - half, mean + half


def _view(table: Table, delta: str) -> View:
    heads = (
        *(Head(name, number=False) for name in ("condition", "model", "split", "type")),
        Head(f"female {delta}", "the pronoun of the anti-stereotyped sentence is feminine"),
        Head(f"male {delta}", "the pronoun of the anti-stereotyped sentence is masculine"),
        Head("seeds"),
    )
    rows = []
    for row in table.records():
        cells: list[Cell] = [text(str(row[name])) for name in ("condition", "model", "split", "type")]
        for gender in GENDERS:
            mean, low, high = numbers([row[gender], row[f"{gender}_low"], row[f"{gender}_high"]])
            small = "" if low is None else f"[{write.signed(low)}, {write.signed(high)}]"
            cells.append(value(write.signed(mean), mean, small=small))
        rows.append((*cells, value(str(row["n"]), float(str(row["n"])))))
    return View("winobias", heads, tuple(rows))


def _curves(analysis: Analysis, scores: ScoreName) -> list[Figure]:
    """A figure a condition, model and split."""
    points = [p for p in analysis.results.points if p.metric == "delta" and opposed(_name(p.benchmark))]
    found = []
    for condition, model in dict.fromkeys((point.condition, point.model) for point in points):
        mine = [point for point in points if (point.condition, point.model) == (condition, model)]
        for split in dict.fromkeys(_what(point.benchmark)["split"] for point in mine):
            own = [point for point in mine if _what(point.benchmark)["split"] == split]
            title = f"{condition}, {model}, {split}: {_delta(scores)} by the pronoun's gender"
            found.append(Figure(slug(f"winobias-{condition}-{model}-{split}"), title, _course(analysis, own, scores)))
    return found


def _course(analysis: Analysis, points: list[Point], scores: ScoreName) -> str:
    """Differences of one condition, model and split over training: a line a gender, type 2 dashed; the loss below."""
    condition, model = points[0].condition, points[0].model
    stages = [(stage.name, float(stage.tokens)) for stage in analysis.results.condition(condition).stages]
    series = []
    for benchmark, values in sorted(by_name(points).items()):
        what = _what(benchmark)
        name = f"anti {what['gender']}, type {what['type']}"
        series.append(Series(name, GENDERS.index(what["gender"]), over_seeds(values), what["type"] == "2"))
    losses = _losses(analysis, points)
    across = along([*points, *losses], LEFT, WIDTH)
    up = axis((point.value for point in points), TOP + HEIGHT, -HEIGHT, zero=True)
    body = panel(series, across, up, f"{_delta(scores)}{_unit(scores)}", title_x=ALONG, stages=stages)
    body += keys(series, LEFT + WIDTH + 20, TOP + 10)
    height = TOP + HEIGHT + 46
    if losses:
        name = losses[0].benchmark
        below = axis((point.value for point in losses), height + 150, -110)
        title = f"loss of {name}, nats a token"
        line = Series(title, 7, over_seeds(by_name(losses)[name]))
        body += panel([line], across, below, title, title_x=ALONG, stages=stages)
        height += 194
    body += stage_keys(stages, LEFT, height)
    height += LINE * (len(stages) + 1 if stages else 0)
    width = LEFT + WIDTH + (STAGES if stages else KEYS)
    return drawing(body, width, height, f"WinoBias over training, {condition}, {model}")


def _losses(analysis: Analysis, points: list[Point]) -> list[Point]:
    """Losses of the text that the model was trained on, from the first of the points on."""
    cell, start = (points[0].condition, points[0].model, "loss"), min(point.at for point in points)
    found = [p for p in analysis.results.points if (p.condition, p.model, p.metric) == cell and p.at >= start]
    return [point for point in found if point.benchmark == found[0].benchmark]


def _name(benchmark: str) -> str:
    return benchmark.rpartition("/")[2]


def _what(benchmark: str) -> re.Match[str]:
    found = PARADIGM.fullmatch(_name(benchmark))
    assert found is not None
    return found
