"""WinoBias: preferences for stereotypes, by the gender of the pronoun."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from operator import itemgetter

import numpy as np
from scipy import special

from runner.report.charts import LINE_HEIGHT, Series, axis, legend, panel, seed_ranges, stage_legend
from runner.report.markup import drawing
from runner.report.results import Point
from runner.report.section import Figure, Section, slug
from runner.report.sections.curves import X_TITLE, measured_twice, training_axis, values_by_benchmark
from runner.report.statistics import NAMES, Analysis, ScoreName, score_name
from runner.score.convention import UNIGRAM
from runner.score.inference import scale_of
from runner.score.pair_formats.winobias import ALONE as PARADIGM
from runner.tables import Column, Table, saved

GENDERS = ("female", "male")
LOG_PROBABILITIES = (NAMES["sum"], NAMES["mean"])  # scores whose negative is a loss
LEFT, TOP, WIDTH, HEIGHT = 54, 34, 460, 230
LEGEND_WIDTH, STAGE_LEGEND_WIDTH = 190, 400  # widths of the legend, without and with stages
Labels = tuple[str, str, str, str, str]  # suite, condition, model, split, type
DeltaKey = tuple[str, str, str, str, str, str]  # the labels and the gender


def sections(analysis: Analysis) -> Iterator[Section]:
    names = [paradigm.key for paradigm in analysis.results.paradigms]
    names += [f"{delta.suite}/{delta.paradigm}" for delta in analysis.results.deltas]
    names += [point.benchmark for point in analysis.results.points if point.metric == "delta"]
    suites = {name.rpartition("/")[0] for name in names if _match(name)}
    score_type, deltas = score_name(analysis.results.run, suites), _deltas(analysis)
    curves = tuple(_curves(analysis))
    if not deltas and not curves:
        return
    delta_name = _delta_name(score_type)
    sides = ("anti", "pro") if score_type in LOG_PROBABILITIES else ("pro", "anti")
    minuend, subtrahend = (f"{delta_name[1:]}({side}-stereotyped)" for side in sides)
    intro = (
        f"{delta_name} = {minuend} − {subtrahend}{_unit(score_type)}, mean over pairs, by the gender of the pronoun in "
        "the anti-stereotyped sentence. A value above zero means that the stereotyped sentence is more likely. A model "
        "that merely prefers one pronoun is above zero for one gender and equally far below for the other: two "
        "opposite curves, which a mean over genders would hide. A genuine stereotype raises both."
    )
    yield Section("winobias", "WinoBias", intro, curves, (_table(analysis, deltas, delta_name),))


def _match(key: str) -> re.Match[str] | None:
    return PARADIGM.fullmatch(key.rpartition("/")[2])


def _delta_name(score_type: ScoreName) -> str:
    return "ΔNLL" if score_type in LOG_PROBABILITIES else f"Δ{score_type.term}"


def _unit(score_type: ScoreName) -> str:
    return "" if score_type.unit == score_type.term else f", {score_type.unit}"


def _deltas(analysis: Analysis) -> dict[DeltaKey, dict[int, float]]:
    deltas: dict[DeltaKey, dict[int, float]] = {}
    for paradigm in analysis.results.paradigms:
        match = _match(paradigm.name)
        if match is None or not len(paradigm.item):
            continue
        with np.errstate(invalid="ignore"):
            differences = paradigm.score_good - paradigm.score_bad
        for cell, row in zip(paradigm.cells, differences, strict=True):
            if cell.model != UNIGRAM and np.isfinite(row).any():
                key = (paradigm.suite, cell.condition, cell.model, match["split"], match["type"], match["gender"])
                deltas.setdefault(key, {})[cell.seed] = float(np.nanmean(row))
    for delta in analysis.results.deltas:
        match = _match(delta.paradigm)
        if match is not None:
            key = (delta.suite, delta.condition, delta.model, match["split"], match["type"], match["gender"])
            deltas.setdefault(key, {})[delta.seed] = delta.value
    return deltas


def _table(analysis: Analysis, deltas: Mapping[DeltaKey, Mapping[int, float]], delta_name: str) -> Table:
    def by_seed(labels: Labels, gender: str) -> Mapping[int, float]:
        return deltas.get((*labels, gender), {})

    def end(index: int, gender: str, labels: Labels) -> float | None:
        return _interval(list(by_seed(labels, gender).values()), analysis.confidence)[index]

    names = ("suite", "condition", "model", "split", "type")
    columns = [Column(name, name, value=itemgetter(i)) for i, name in enumerate(names)]
    columns[0] = replace(columns[0], shown=len({key[0] for key in deltas}) > 1)
    for gender in GENDERS:
        low, high = f"{gender}_low", f"{gender}_high"
        columns += [
            Column(
                *(gender, f"{gender} {delta_name}", "signed", partial(end, 0, gender)),
                f"the pronoun of the anti-stereotyped sentence is {gender}; t interval over seeds",
                interval=(low, high),
            ),
            *saved(**{low: partial(end, 1, gender), high: partial(end, 2, gender)}),
        ]
    columns.append(
        Column("n", "seeds", "count", lambda labels: max(len(by_seed(labels, gender)) for gender in GENDERS))
    )
    return Table("winobias", "", columns, tuple(dict.fromkeys(key[:5] for key in deltas)))


def _interval(values: list[float], confidence: float) -> tuple[float | None, float | None, float | None]:
    if not values:
        return None, None, None
    mean = math.fsum(values) / len(values)
    if len(values) < 2:
        return mean, None, None
    scale = scale_of(np.asarray(values))
    se = scale * float(np.std(np.asarray(values) / scale, ddof=1)) / math.sqrt(len(values))
    half_width = float(special.stdtrit(len(values) - 1, (1 + confidence) / 2)) * se
    return mean, mean - half_width, mean + half_width


def _curves(analysis: Analysis) -> Iterator[Figure]:
    groups: dict[tuple[str, str, str, str], list[Point]] = {}
    for point in measured_twice(analysis.results.points):  # a curve needs two points
        match = _match(point.benchmark) if point.metric == "delta" else None
        if match is not None:
            key = (point.benchmark.rpartition("/")[0], point.condition, point.model, match["split"])
            groups.setdefault(key, []).append(point)
    several_suites = len({suite for suite, *_ in groups}) > 1
    for (suite, *labels), group in groups.items():
        names = [suite, *labels] if several_suites else labels
        score_type = score_name(analysis.results.run, {suite})
        title = f"{', '.join(names)}: {_delta_name(score_type)} by the pronoun's gender"
        svg = _training_curves(analysis, group, score_type)
        yield Figure(slug(f"winobias-{'-'.join(names)}"), title, svg)


def _training_curves(analysis: Analysis, points: list[Point], score_type: ScoreName) -> str:
    condition, model = points[0].condition, points[0].model
    stages = [(stage.name, float(stage.tokens)) for stage in analysis.results.condition(condition).stages]
    series = []
    for benchmark, values in sorted(values_by_benchmark(points).items()):
        match = _match(benchmark)
        assert match is not None
        name = f"anti {match['gender']}, type {match['type']}"
        series.append(Series(name, GENDERS.index(match["gender"]), seed_ranges(values), match["type"] == "2"))
    start = min(point.at for point in points)
    key = (condition, model, "loss")
    all_points = [point for point in analysis.results.points if point.at >= start]
    losses = [point for point in all_points if (point.condition, point.model, point.metric) == key]
    losses = [point for point in losses if point.benchmark == losses[0].benchmark]  # on the first text
    x_axis = training_axis([*points, *losses], LEFT, WIDTH)
    y_axis = axis((point.value for point in points), TOP + HEIGHT, -HEIGHT, zero=True)
    title = f"{_delta_name(score_type)}{_unit(score_type)}"
    body = panel(series, x_axis, y_axis, title, title_x=X_TITLE, stages=stages)
    body += legend(series, LEFT + WIDTH + 20, TOP + 10)
    height = TOP + HEIGHT + 46
    if losses:
        text = losses[0].benchmark
        loss_axis = axis((point.value for point in losses), height + 150, -110)
        title = f"loss of {text}, nats per token"
        line = Series(title, 7, seed_ranges(values_by_benchmark(losses)[text]))
        body += panel([line], x_axis, loss_axis, title, title_x=X_TITLE, stages=stages)
        height += 194
    body += stage_legend(stages, LEFT, height)
    height += LINE_HEIGHT * (len(stages) + 1 if stages else 0)
    width = LEFT + WIDTH + (STAGE_LEGEND_WIDTH if stages else LEGEND_WIDTH)
    return drawing(body, width, height, f"WinoBias over training, {condition}, {model}")


SECTIONS = {200: sections}
