"""Simulate how often the 95 % intervals of `runner.score.statistics.change` contain the true change.

    python -m benchmarks.coverage --simulations 10000 --jobs 2 --output docs/coverage.csv

Decisions follow a logistic model with crossed random effects of seeds and items. Each row of the table is a cell of the
design: coverage and type-I error as shares of the simulations. The cells depend on their own seed alone, so a part of
the table is reproduced by any number of processes. An interrupted simulation continues after the rows of its output.
"""

from __future__ import annotations

import argparse
import csv
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, fields
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from runner.score.statistics.change import design_of, estimated, interval

Floats = NDArray[np.float64]
SEEDS = (2, 3, 4, 5, 10)
ITEMS = (50, 200, 1000)
ACCURACIES = (0.55, 0.75, 0.95)
SEED_SD = (0.2, 0.8)
ITEM_SD, INTERACTION_SD, SEED_ITEM_SD = 1.4, 0.25, 0.5  # logits
CORRELATIONS = (0.0, 0.7)  # of equal seeds in the two conditions
SCALES = (0.5, 1.0, 2.0)  # of all standard deviations
EFFECTS = (0.0, -0.05)  # changes in accuracy
_BATCH = 4_000_000  # decisions that are drawn at once
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(81)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the design."""

    seeds: int
    items: int
    accuracy: float
    seed_sd: float
    correlation: float
    scale: float
    effect: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """Shares of the simulations: intervals that contain the true change, that exclude zero, and that have no width."""

    coverage: float
    rejected: float
    no_width: float
    width: float  # mean, in points


def cells() -> list[Cell]:
    """Return all cells, in the order of the table."""
    return [Cell(*each) for each in product(SEEDS, ITEMS, ACCURACIES, SEED_SD, CORRELATIONS, SCALES, EFFECTS)]


def simulate(cell: Cell, simulations: int) -> Outcome:
    """Draw data sets of a cell, and count what their intervals contain."""
    rng = np.random.Generator(np.random.SFC64(zlib.crc32(repr(cell).encode())))
    means = [_intercept(cell, cell.accuracy + effect) for effect in (cell.effect, 0.0)]
    design = design_of((cell.seeds, cell.seeds), paired=True)
    counts = np.zeros(4)
    batch = max(1, _BATCH // (2 * cell.seeds * cell.items))
    for start in range(0, simulations, batch):
        first, second = _decisions(rng, cell, means, min(batch, simulations - start))
        estimate, se, df = estimated([(first, second)], design)
        low, high, _ = interval(estimate, se, df)
        inside = (low <= cell.effect) & (cell.effect <= high)
        differs = (first != second).any(axis=(1, 2))
        counts += [inside.sum(), ((low > 0) | (high < 0)).sum(), ((high == low) & differs).sum(), (high - low).sum()]
    return Outcome(*(counts / simulations * [1, 1, 1, 100]).tolist())


def _decisions(rng: np.random.Generator, cell: Cell, means: Sequence[float], number: int) -> tuple[Floats, Floats]:
    """Decisions of both conditions, each (number, seeds, items)."""
    shape = number, cell.seeds, cell.items
    item = cell.scale * ITEM_SD * rng.standard_normal((number, 1, cell.items), dtype=np.float32)
    seed = _correlated(rng, cell, (number, cell.seeds, 1), cell.seed_sd)
    both = _correlated(rng, cell, shape, SEED_ITEM_SD)
    sides = []
    for mean, own, logits in zip(means, seed, both, strict=True):
        apart = cell.scale * INTERACTION_SD * rng.standard_normal((number, 1, cell.items), dtype=np.float32)
        np.add(logits, np.float32(mean) + item + apart + own, out=logits)
        uniform = rng.random(shape, dtype=np.float32)
        sides.append((uniform * (1 + np.exp(-logits)) < 1).astype(np.float64))
    return sides[0], sides[1]


def _correlated(
    rng: np.random.Generator, cell: Cell, shape: tuple[int, ...], sd: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Effects of equal seeds in the two conditions."""
    first = rng.standard_normal(shape, dtype=np.float32)
    second = rng.standard_normal(shape, dtype=np.float32)
    second = np.float32(cell.correlation) * first + np.float32(np.sqrt(1 - cell.correlation**2)) * second
    return np.float32(cell.scale * sd) * first, np.float32(cell.scale * sd) * second


def _intercept(cell: Cell, accuracy: float) -> float:
    """The logit at which the expected accuracy over all random effects has this value."""
    sd = cell.scale * np.sqrt(ITEM_SD**2 + INTERACTION_SD**2 + SEED_ITEM_SD**2 + cell.seed_sd**2)
    weights = _WEIGHTS / _WEIGHTS.sum()

    def missing(mean: float) -> float:
        return float(weights @ (1 / (1 + np.exp(-(mean + sd * _NODES))))) - accuracy

    return float(optimize.brentq(missing, -60, 60))


def _row(task: tuple[Cell, int]) -> tuple[Cell, Outcome]:
    return task[0], simulate(*task)


def table(chosen: Sequence[Cell], simulations: int, jobs: int) -> Iterator[tuple[Cell, Outcome]]:
    """Simulate cells in their order."""
    tasks = [(cell, simulations) for cell in chosen]
    if jobs == 1:
        yield from map(_row, tasks)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield from pool.map(_row, tasks, chunksize=4)


def rows_with(rows: Sequence[tuple[Cell, Outcome]], least: int, most: int) -> list[tuple[Cell, Outcome]]:
    """Return the rows with a number of seeds from `least` to `most`."""
    return [row for row in rows if least <= row[0].seeds <= most]


def done(path: Path, simulations: int) -> list[tuple[Cell, Outcome]]:
    """Return the rows of a table that have as many simulations; a line that was cut off is left out."""
    if not path.exists():
        return []
    whole = path.read_text(encoding="utf-8").rpartition("\n")[0].splitlines()
    rows = [row for row in csv.DictReader(whole) if int(row["simulations"]) == simulations]
    return [(Cell(**_values(Cell, row)), Outcome(**_values(Outcome, row))) for row in rows]


def _values(kind: type[Cell] | type[Outcome], row: dict[str, str]) -> dict[str, Any]:
    return {each.name: (int if each.type == "int" else float)(row[each.name]) for each in fields(kind)}


@contextmanager
def _appended(path: Path, simulations: int) -> Iterator[Callable[[tuple[Cell, Outcome]], None]]:
    """Yield a function that appends a row to the table, after the rows that `done` returns."""
    kept = done(path, simulations)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(
            file, ["simulations", *(each.name for each in (*fields(Cell), *fields(Outcome)))], lineterminator="\n"
        )

        def write(row: tuple[Cell, Outcome]) -> None:
            writer.writerow({"simulations": simulations, **asdict(row[0]), **asdict(row[1])})
            file.flush()

        writer.writeheader()
        for row in kept:
            write(row)
        yield write


def _summary(name: str, rows: Sequence[tuple[Cell, Outcome]]) -> str:
    ordered = sorted(rows, key=lambda row: row[1].coverage)
    median = float(np.median([outcome.coverage for _, outcome in rows]))
    errors = max(outcome.rejected for cell, outcome in rows if cell.effect == 0)
    lines = [
        f"{name}: {len(rows)} cells, coverage {ordered[0][1].coverage:.4f} to {ordered[-1][1].coverage:.4f}, "
        f"median {median:.4f}; type I at most {errors:.4f}; "
        f"no width in {sum(outcome.no_width for _, outcome in rows) / len(rows):.6f}"
    ]
    lines += [f"  {outcome.coverage:.4f} {cell}" for cell, outcome in [*ordered[:5], *ordered[-3:]]]
    return "\n".join(lines)


def main() -> None:
    """Write the table, and print the worst cells of each kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulations", type=int, default=10_000)
    parser.add_argument("--every", type=int, default=1, help="simulate every Nth cell only")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    rows = done(options.output, options.simulations) if options.output else []
    left = [cell for cell in cells()[:: options.every] if cell not in dict(rows)]
    with ExitStack() as stack:
        write = stack.enter_context(_appended(options.output, options.simulations)) if options.output else None
        for row in table(left, options.simulations, options.jobs):
            rows.append(row)
            if write is not None:
                write(row)
            if len(rows) % 50 == 0:
                print(f"{len(rows)} cells", file=sys.stderr, flush=True)
    for name, some in (("2 or 3 seeds", rows_with(rows, 2, 3)), ("4 or more", rows_with(rows, 4, 10))):
        print(_summary(name, some))


if __name__ == "__main__":
    main()
