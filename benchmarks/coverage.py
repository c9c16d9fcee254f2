"""Simulate how often the 95 % intervals of `runner.score.change` contain the true change.

    python -m benchmarks.coverage --simulations 10000 --jobs 2 --output docs/coverage.csv

Decisions follow a logistic model with crossed random effects of seeds and items. Each row of the table is a cell (a
combination of parameters), with shares of the simulations; where the effect is 0, `rejected` is the type-I error. The
random numbers of a cell are seeded by all its parameters except accuracy, effect and scale. The rows therefore do not
depend on the number of processes or on the part of the table that is simulated. An interrupted simulation continues
after the rows of its output.
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
from itertools import chain, groupby, product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.decisions import Design, Side, count_decisions, draw_decisions, intercept
from runner.score.change import agreeing_items, design_of, estimate_changes, interval

Floats = NDArray[np.float64]
SEEDS = (2, 3, 4, 5, 10)
ITEMS = (50, 200, 1000)
ACCURACIES = (0.55, 0.75, 0.95)
SEED_SDS = (0.2, 0.8)  # logits
CORRELATIONS = (0.0, 0.7)  # between the effects of the same seed in the two conditions
SCALES = (0.5, 1.0, 2.0)  # of all standard deviations
EFFECTS = (0.0, -0.05)  # changes in accuracy
PARADIGMS, PARADIGM_ITEMS = 3, (50,)  # for cells with several paradigms: their number, and items per paradigm
_BATCH = 400_000  # decisions that are drawn at once, few enough for the cache of a core


@dataclass(frozen=True, slots=True)
class Cell:
    """The parameters of a cell of the table."""

    seeds: int
    items: int
    accuracy: float
    seed_sd: float
    correlation: float
    scale: float
    effect: float
    paradigms: int = 1

    @property
    def design(self) -> Design:
        """The parameters of the cell except accuracy, effect and scale."""
        return Design(self.seeds, self.items, self.seed_sd, self.correlation, self.paradigms)

    @property
    def accuracies(self) -> tuple[float, float]:
        """The expected accuracies of both conditions."""
        return self.accuracy + self.effect, self.accuracy


@dataclass(frozen=True, slots=True)
class Outcome:
    """Shares of intervals: that contain the true change, exclude zero, and have no width although decisions differ."""

    coverage: float
    rejected: float
    no_width: float
    width: float  # mean, in percentage points


_COLUMNS = ["simulations", *(field.name for field in (*fields(Cell), *fields(Outcome)))]


def cells() -> list[Cell]:
    """Return all cells, in the order of the table: those of one paradigm, then those of several."""
    designs = [
        (1, product(SEEDS, ITEMS, SEED_SDS, CORRELATIONS, SCALES, ACCURACIES, EFFECTS)),
        (PARADIGMS, product(SEEDS, PARADIGM_ITEMS, SEED_SDS, CORRELATIONS, (1.0,), ACCURACIES, EFFECTS)),
    ]
    return [
        Cell(seeds, items, accuracy, seed_sd, correlation, scale, effect, paradigms)
        for paradigms, design in designs
        for seeds, items, seed_sd, correlation, scale, accuracy, effect in design
    ]


def simulate(selected_cells: Sequence[Cell], simulations: int) -> list[Outcome]:
    """Return the outcomes of cells of one design, which share their random numbers."""
    design = selected_cells[0].design
    rng = np.random.Generator(np.random.SFC64(zlib.crc32(repr(design).encode())))
    batch = max(1, _BATCH // (2 * design.seeds * design.items * design.paradigms))
    estimates: dict[Cell, list[Floats]] = {cell: [] for cell in selected_cells}
    for start in range(0, simulations, batch):
        sides = draw_decisions(rng, design, min(batch, simulations - start))
        for cell, batches in estimates.items():
            batches.append(_estimate(cell, sides))
    return [_outcome(cell, np.hstack(batches)) for cell, batches in estimates.items()]


def _estimate(cell: Cell, sides: Sequence[tuple[Side, Side]]) -> Floats:
    """Return estimates, standard errors, degrees of freedom, `agreeing_items` and numbers of differing decisions."""
    first, second = (intercept(accuracy, cell.seed_sd, cell.scale) for accuracy in cell.accuracies)
    paradigms = [count_decisions(a.right(cell.scale, first), b.right(cell.scale, second)) for a, b in sides]
    differs = np.sum([paradigm.differences.squares for paradigm in paradigms if paradigm.differences], axis=0)
    changes = estimate_changes(paradigms, design_of((cell.seeds, cell.seeds), paired=True))
    return np.array([*changes, agreeing_items(paradigms), differs])


def _outcome(cell: Cell, estimates: Floats) -> Outcome:
    estimate, se, df, agreeing, differs = estimates
    low, high, _ = interval(estimate, se, df, agreeing=agreeing, paradigms=cell.paradigms)
    contained = (low <= cell.effect) & (cell.effect <= high)
    shares = [contained, (low > 0) | (high < 0), (high == low) & (differs > 0), 100 * (high - low)]
    return Outcome(*(round(float(share.mean()), 4) for share in shares))


def _simulated_rows(task: tuple[list[Cell], int]) -> list[tuple[Cell, Outcome]]:
    return list(zip(task[0], simulate(*task), strict=True))


def table(selected_cells: Sequence[Cell], simulations: int, jobs: int) -> Iterator[tuple[Cell, Outcome]]:
    """Simulate cells with `jobs` processes, and yield each with its outcome, in order."""
    tasks = [(list(group), simulations) for _, group in groupby(selected_cells, key=lambda cell: cell.design)]
    if jobs == 1:
        yield from chain.from_iterable(map(_simulated_rows, tasks))
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield from chain.from_iterable(pool.map(_simulated_rows, tasks))


def rows_with(rows: Sequence[tuple[Cell, Outcome]], seeds: Sequence[int], paradigms: int) -> list[tuple[Cell, Outcome]]:
    """Return the rows with one of these numbers of seeds, and this number of paradigms."""
    return [row for row in rows if row[0].seeds in seeds and row[0].paradigms == paradigms]


def finished_rows(path: Path, simulations: int) -> list[tuple[Cell, Outcome]]:
    """Return the rows of a table that have this number of simulations; a truncated last line is left out.

    A missing table, or one with other columns, has none.
    """
    if not path.exists():
        return []
    reader = csv.DictReader(path.read_text(encoding="utf-8").rpartition("\n")[0].splitlines())
    rows = [row for row in reader if reader.fieldnames == _COLUMNS and int(row["simulations"]) == simulations]
    return [(Cell(**_values(Cell, row)), Outcome(**_values(Outcome, row))) for row in rows]


def _values(row_type: type[Cell] | type[Outcome], row: dict[str, str]) -> dict[str, Any]:
    return {field.name: (int if field.type == "int" else float)(row[field.name]) for field in fields(row_type)}


@contextmanager
def _append_to(path: Path, simulations: int) -> Iterator[Callable[[tuple[Cell, Outcome]], None]]:
    """Reduce the table to the rows that `finished_rows` returns, and yield a function that appends a row."""
    earlier_rows = finished_rows(path, simulations)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, _COLUMNS, lineterminator="\n")

        def write(row: tuple[Cell, Outcome]) -> None:
            writer.writerow({"simulations": simulations, **asdict(row[0]), **asdict(row[1])})
            file.flush()

        writer.writeheader()
        for row in earlier_rows:
            write(row)
        yield write


def other_rows(path: Path, simulations: int) -> str | None:
    """Describe the rows that `finished_rows` leaves out, except for a truncated last line; None if there are none."""
    lines = path.read_text(encoding="utf-8").rpartition("\n")[0].splitlines() if path.exists() else []
    if lines and lines[0] != ",".join(_COLUMNS):
        return "other columns"
    others = {line.partition(",")[0] for line in lines[1:]} - {str(simulations)}
    return f"{', '.join(sorted(others))} simulations" if others else None


def _summary(name: str, rows: Sequence[tuple[Cell, Outcome]]) -> str:
    ordered = sorted(rows, key=lambda row: row[1].coverage)
    median = float(np.median([outcome.coverage for _, outcome in rows]))
    type_one = max((outcome.rejected for cell, outcome in rows if cell.effect == 0), default=None)
    lines = [
        f"{name}: {len(rows)} cells, coverage {ordered[0][1].coverage:.4f} to {ordered[-1][1].coverage:.4f}, "
        f"median {median:.4f}; {'' if type_one is None else f'type I at most {type_one:.4f}; '}"
        f"no width in {sum(outcome.no_width for _, outcome in rows) / len(rows):.6f}"
    ]
    lines += [f"  {outcome.coverage:.4f} {cell}" for cell, outcome in [*ordered[:5], *ordered[-3:]]]
    return "\n".join(lines)


def main() -> None:
    """Write the table, and print a summary for each group of seeds and paradigms."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulations", type=int, default=10_000)
    parser.add_argument("--every", type=int, default=1, help="simulate every Nth cell only")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path, help="CSV file of the table; an interrupted one is continued")
    options = parser.parse_args()
    if options.output and (others := other_rows(options.output, options.simulations)):
        parser.error(f"--output: {options.output} has rows with {others}, which would be lost; name another file")
    rows = finished_rows(options.output, options.simulations) if options.output else []
    remaining_cells = [cell for cell in cells()[:: options.every] if cell not in dict(rows)]
    with ExitStack() as stack:
        write = stack.enter_context(_append_to(options.output, options.simulations)) if options.output else None
        for row in table(remaining_cells, options.simulations, options.jobs):
            rows.append(row)
            if write is not None:
                write(row)
            if len(rows) % 50 == 0:
                print(f"{len(rows)} cells", file=sys.stderr, flush=True)
    for paradigms, seeds in product((1, PARADIGMS), ((2, 3), (4, 5, 10))):
        if group_rows := rows_with(rows, seeds, paradigms):
            print(_summary(f"{', '.join(map(str, seeds))} seeds, paradigms: {paradigms}", group_rows))


if __name__ == "__main__":
    main()
