"""Simulate in how many pilots the power of 80 % that `fictc power` promises is reached.

    python -m benchmarks.pilots --pilots 1000 --output docs/power.csv

A row of the table is a cell: pilots of few seeds and 200 pairs, drawn as in `benchmarks.decisions`, plan a run of 10
seeds and 1,000 pairs. The real power of what a pilot promises is the share of simulated runs of this size that find the
change, or that prove the margin without one. `estimated` is the share of pilots in which the change at the estimated
variance has a real power of 80 %; `detected` and `held` are the shares for the promised change and margin. `needed` is
the change that has this power, and `p10`, `p50` and `p90` are quantiles of the promised one. Shares are in percent,
changes in points.
"""

from __future__ import annotations

import argparse
import csv
import sys
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.decisions import Design, count_decisions, draw_decisions, intercept
from runner.score.change import agreeing_items, design_of, estimate_changes, interval
from runner.score.intervals import Sides
from runner.score.power import POWER, Limits, pooled, variances

Floats = NDArray[np.float64]
PILOT_ITEMS, SEEDS, ITEMS = 200, 10, 1000  # pairs of a pilot; size of the planned run
CHANGES = (0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.13, 0.17, 0.22, 0.3)
RUNS = 1000  # simulated for each change
_BATCH = 400_000  # decisions that are drawn at once


@dataclass(frozen=True, slots=True)
class Cell:
    """The parameters of a cell: with several `paradigms`, the pilot pools their variance between seeds."""

    seeds: int
    accuracy: float
    seed_sd: float
    correlation: float
    paradigms: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """Shares of pilots, in percent, and changes, in points."""

    estimated: float
    detected: float
    held: float
    needed: float
    p10: float
    p50: float
    p90: float


COLUMNS = ["pilots", *(field.name for field in (*fields(Cell), *fields(Outcome)))]


def cells() -> list[Cell]:
    """Return all cells, in the order of the table."""
    return [Cell(*values) for values in product((2, 3, 5), (0.75, 0.95), (0.2, 0.8), (0.0, 0.7), (1, 5))]


def simulate(cell: Cell, pilots: int) -> Outcome:
    """Return the outcome of a cell over this number of pilots."""
    powers, null_bounds = planned_runs(cell.accuracy, cell.seed_sd, cell.correlation)
    changes = np.array([0.0, *CHANGES[: len(powers) - 1]])
    limits = list(_limits(cell, pilots))
    detected = [np.array([pair[i].detectable for pair in limits]) for i in range(2)]
    margins = np.array([upper.provable for _, upper in limits])
    estimated, promised = (float(np.mean(np.interp(found, changes, powers) >= POWER)) for found in detected)
    held = float(np.mean((null_bounds[None] < margins[:, None]).mean(1) >= POWER))
    quantiles = (float(value) for value in np.quantile(detected[1], (0.1, 0.5, 0.9)))
    values = (estimated, promised, held, float(np.interp(POWER, powers, changes)), *quantiles)
    return Outcome(*(round(100 * value, 1) for value in values))


def _limits(cell: Cell, pilots: int) -> Iterator[tuple[Limits, Limits]]:
    """Yield the limits that each pilot gives for its first paradigm. Pilots without variance give none."""
    design = Design(cell.seeds, PILOT_ITEMS, cell.seed_sd, cell.correlation, cell.paradigms)
    rng = np.random.default_rng(zlib.crc32(repr(design).encode()))
    logit = intercept(cell.accuracy, cell.seed_sd, 1.0)
    paradigms = [[side.right(1.0, logit) for side in sides] for sides in draw_decisions(rng, design, pilots)]
    for index in range(pilots):
        decisions = [[side[index].astype(np.float64) for side in sides] for sides in paradigms]
        by_paradigm = (
            variances(Sides(*(dict(enumerate(side.mean(1))) for side in sides), ((sides[0], sides[1]),), True))
            for sides in decisions
        )
        limits = pooled([found for found in by_paradigm if found is not None])[0].limits(SEEDS, ITEMS)
        if limits is not None:
            yield limits


@cache
def planned_runs(accuracy: float, seed_sd: float, correlation: float) -> tuple[Floats, Floats]:
    """Simulate runs of the planned size.

    Returns the share of runs that find each change (0 and then CHANGES), and the larger end of each interval without a
    change.
    """
    design = Design(SEEDS, ITEMS, seed_sd, correlation, 1)
    rng = np.random.default_rng(zlib.crc32(repr(("runs", design)).encode()))
    changes = [0.0, *(change for change in CHANGES if accuracy - change > 0.02)]
    lows, highs = np.empty((len(changes), RUNS)), np.empty((len(changes), RUNS))
    batch = _BATCH // (2 * SEEDS * ITEMS)
    for start in range(0, RUNS, batch):
        ((first, second),) = draw_decisions(rng, design, min(batch, RUNS - start))
        reference = second.right(1.0, intercept(accuracy, seed_sd, 1.0))
        for row, change in enumerate(changes):
            right = first.right(1.0, intercept(accuracy - change, seed_sd, 1.0))
            decisions = [count_decisions(right, reference)]
            found = estimate_changes(decisions, design_of((SEEDS, SEEDS), paired=True))
            part = slice(start, start + len(right))
            lows[row, part], highs[row, part], _ = interval(*found, agreeing=agreeing_items(decisions))
    powers = np.maximum.accumulate((highs < 0).mean(1))
    return powers, np.maximum(-lows[0], highs[0])


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pilots", type=int, default=1000)
    parser.add_argument("--output", type=Path, help="CSV file of the table [default: standard output]")
    options = parser.parse_args()
    with options.output.open("w", encoding="utf-8") if options.output else sys.stdout as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for cell in cells():
            writer.writerow({"pilots": options.pilots, **asdict(cell), **asdict(simulate(cell, options.pilots))})
            file.flush()


if __name__ == "__main__":
    main()
