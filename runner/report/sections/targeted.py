"""Targeted paradigms, and placebos: random removals of as much text as a condition removes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fictdsl.words import counted, listed
from runner.report.accuracy_tables import detectable
from runner.report.contrast_tables import contrasts, headlines, seed_intervals, targeted, targeted_overview
from runner.report.section import Section
from runner.report.statistics import Analysis, PlaceboTest
from runner.score.intervals import DESIGNS
from runner.tables import Column, Table


def targeted_section(analysis: Analysis) -> Iterator[Section]:
    options = analysis.results.run.report
    intro = (
        f"Intervals are {analysis.level} confidence intervals of a change in points, "
        f"{_sampling_units(analysis)}not adjusted for the number of tests. An accuracy fell or rose if its "
        "interval excludes zero and Holm's p is at most 0.05, over the model's targeted paradigms and all conditions "
        "or, for a mean over several paradigms, over the means of the model's conditions. It did so within the "
        f"margin if the interval also lies within ±{options.equivalence:g} points. Any other interval within "
        f"±{options.equivalence:g} points means that the accuracy held. Otherwise the change is undecided."
    )
    compared = (headlines(analysis), targeted_overview(analysis), targeted(analysis), contrasts(analysis))
    tables = (*compared, seed_intervals(analysis), detectable(analysis))
    yield Section("targeted", "Targeted paradigms", intro, (), tables, text_place=4)


def _sampling_units(analysis: Analysis) -> str:
    methods = dict.fromkeys(
        contrast.difference.method for contrast in analysis.targeted_contrasts if contrast.difference.low is not None
    )
    units = [
        "items only (one seed)" if method == DESIGNS["items"] else method.removeprefix("over ") for method in methods
    ]
    return f"over {listed(units)}, " if units else ""


LEVEL = 0.025  # of a one-sided test; corresponds to a two-sided test at 0.05


def placebos_section(analysis: Analysis) -> Iterator[Section]:
    if not analysis.placebos:
        return
    intro = (
        "Each draw of a placebo randomly removes as much text as the condition removes, and a separate model is "
        "trained on it. p = (1 + number of draws with a change at least as low as that of the condition) / (number of "
        "draws + 1). It is one-sided, and not part of the Holm correction. Changes are differences from full at the "
        "same seeds, in points. The change of a condition is a mean over its seeds, that of a draw is of one seed: the "
        "draws vary more, so the test errs on the safe side."
    )
    few_draws: dict[str, list[int]] = {}  # models or paradigms may differ in their scored draws
    for test in analysis.placebos:
        if test.smallest_p > LEVEL:
            few_draws.setdefault(test.placebo, []).append(len(test.draws))
    if few_draws:
        named = []
        for name, numbers in few_draws.items():
            least = f"{min(numbers):,} to " if min(numbers) < max(numbers) else ""
            named.append(f"{name} ({least}{counted(max(numbers), 'draw')})")
        intro += f" With fewer than 39 draws, p cannot reach {LEVEL}: {listed(named)}."
    untested = dict.fromkeys(matrix.untested for matrix in analysis.results.matrices if matrix.untested)
    intro += "".join(f" {outcomes} are not tested." for outcomes in untested)
    yield Section("placebos", "Placebos", intro, (), (_placebo_table(analysis),))


def _placebo_table(analysis: Analysis) -> Table:
    keys = {test.paradigm for test in analysis.placebos if test.paradigm}
    names = {key.rpartition("/")[2] for key in keys}
    placebos = {(test.placebo, test.condition) for test in analysis.placebos}

    def is_targeted(test: PlaceboTest) -> bool:
        return not test.paradigm or test.paradigm in analysis.targets.get(test.condition, ())

    def name(test: PlaceboTest) -> str:
        mean = f"mean over the {len(analysis.targets.get(test.condition, ()))} targeted"
        return test.paradigm.rpartition("/")[2] or mean

    def changes(test: PlaceboTest) -> list[float]:
        return [change for _, change in test.draws]

    columns = (
        Column("suite", "suite", "text", lambda test: test.paradigm.rpartition("/")[0], shown=len(names) < len(keys)),
        Column("paradigm", "paradigm", "text", name, css_class="name"),
        Column("condition", "condition"),
        Column("placebo", "placebo", shown=len(placebos) > len({condition for _, condition in placebos})),
        Column("model", "model"),
        Column("targeted", "targeted", "yes", is_targeted),
        Column("change", "change", "points", help="of the condition against full"),
        Column("draws", "draws", "count", lambda test: len(test.draws)),
        Column("lowest", "lowest", "points", lambda test: min(changes(test)), "of the draws against full"),
        Column("median", "median", "points", lambda test: float(np.median(changes(test)))),
        Column("highest", "highest", "points", lambda test: max(changes(test))),
        Column("p", "p", "p", help="one-sided, for a drop"),
        Column("smallest_p", "smallest p", "p", help="the smallest value that p can have with this number of draws"),
    )
    return Table("placebos", "", columns, sorted(analysis.placebos, key=lambda test: not is_targeted(test)))


SECTIONS = {10: targeted_section, 15: placebos_section}
