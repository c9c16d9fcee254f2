"""Simulate the verdicts of a report, and the coverage of its intervals, where their assumptions hold and where not.

    python -m benchmarks.verdicts --output docs/verdicts.csv

Each row is a situation, numbers of seeds of both sides and a true change in points. `share` is what the situation
varies: a standard deviation in logits, a share of seeds, or a design effect. The margin is 5 points. Random numbers are
seeded by the row.
"""

from __future__ import annotations

import argparse
import csv
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from benchmarks.decisions import INTERACTION_SD, ITEM_SD, SEED_ITEM_SD, intercept
from runner.score.change import (
    MIN_AGREEING_SEEDS,
    Paradigm,
    agreeing_items,
    design_of,
    estimate_changes,
    interval,
    over_phenomena,
    summarize_paradigm,
    variance_over_seeds,
    verdict,
)

Row = TypeVar("Row")
Other = TypeVar("Other")
MARGIN, ACCURACY, SEED_SD = 0.05, 0.75, 0.2
WORDS = {2.0: 0.67, 7.0: 2.05}  # design effect at one seed → SD in logits of the effects of 10 words and a condition
BLIMP = (2, 9, 7, 5, 8, 2, 7, 2, 8, 7, 4, 6)  # number of paradigms of each phenomenon
CHANGE_SD = 0.03  # of the changes of paradigms; half of their variance is between phenomena
_BATCH = 200


@dataclass(frozen=True, slots=True)
class Situation:
    """What is simulated. `seeds` are those of the changed condition, `other_seeds` those of its baseline."""

    situation: str
    share: float
    seeds: int
    other_seeds: int
    change: float  # true change, points


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares of simulations, and the mean width of the interval in points. `fell` and `rose` are of any size."""

    simulations: int
    coverage: float
    fell: float
    rose: float
    held: float
    undecided: float
    width: float


def situations() -> list[Situation]:
    """Return all rows of the table, in order."""
    changes = (0.0, -2.0, -5.0)
    equal = [(n, n) for n in (1, 3, 5, 10)]
    designs: list[tuple[str, tuple[float, ...], list[tuple[int, int]]]] = [
        ("as assumed", (0.0,), [*equal, (1, 5), (2, 8)]),
        ("one corpus draw", (0.1, 0.2), equal[1:]),
        ("a corpus draw per seed", (0.1, 0.2), equal[1:]),
        ("words", tuple(WORDS), equal),
        ("5 and 1,000 items", (0.0,), equal[1:]),
        ("failed seeds", (0.1, 0.3), equal[1:]),
        ("phenomena", (0.2, 0.8), [(2, 2), *equal[1:]]),
    ]
    rows = [
        Situation(name, share, *seeds, change)
        for name, shares, numbers in designs
        for share, seeds, change in product(shares, numbers, changes)
    ]
    # all pairs are right, but for the seeds that fall to 65 %
    return rows + [
        Situation("all right", share, n, n, round(-35 * share, 1) + 0.0)
        for share in (0.0, 0.1, 0.2)
        for n, _ in equal[1:]
    ]


def simulate(situation: Situation, simulations: int) -> Shares:
    """Return the verdicts on a situation. Holm's family is this one comparison."""
    rng = np.random.default_rng(zlib.crc32(repr(situation).encode()))
    truth, counts, contained, width = situation.change / 100, Counter[str](), 0, 0.0
    for _ in range(0, simulations, _BATCH):
        draw = _over_phenomena if situation.situation == "phenomena" else _over_items
        for low, high, p, margin in draw(rng, situation):
            counts[verdict(low, high, margin, p).removesuffix(" within margin")] += 1
            contained += low <= truth + 1e-12 and truth - 1e-12 <= high
            width += 100 * (high - low)
    total = counts.total()
    shares = [counts[name] / total for name in ("fell", "rose", "held", "undecided")]
    return Shares(total, *(round(value, 4) for value in (contained / total, *shares, width / total)))


Interval = tuple[float, float, float, float | None]  # low, high, p and the margin, if the interval can prove it


def _over_items(rng: np.random.Generator, situation: Situation) -> Iterator[Interval]:
    seeds = situation.seeds, situation.other_seeds
    paradigms = [
        _paradigm(rng, situation, items) for items in ((5, 1000) if "1,000" in situation.situation else (200,))
    ]
    estimate, se, df = estimate_changes(paradigms, design_of(seeds, paired=True))
    low, high, p = interval(estimate, se, df, agreeing=agreeing_items(paradigms), paradigms=len(paradigms))
    can_hold = (se > 0) | (min(seeds) >= MIN_AGREEING_SEEDS)
    margins = [MARGIN if value else None for value in can_hold]
    yield from zip(low.tolist(), high.tolist(), p.tolist(), margins, strict=True)


def _paradigm(rng: np.random.Generator, situation: Situation, items: int) -> Paradigm:
    """Draw both sides of a paradigm, (data sets, seeds, items). Every effect is independent between the sides."""
    name, share, change = situation.situation, situation.share, situation.change / 100
    if name == "all right":
        fails = rng.random((_BATCH, situation.seeds, 1)) < share
        right = rng.random((_BATCH, situation.seeds, items)) < np.where(fails, 0.65, 1.0)
        return summarize_paradigm(right.astype(np.float64), np.ones((_BATCH, situation.other_seeds, items)))
    item = ITEM_SD * rng.standard_normal((_BATCH, 1, items))
    words_sd, draw_sd = WORDS[share] if name == "words" else 0.0, share if "corpus draw" in name else 0.0
    sides = []
    for seeds, accuracy in ((situation.seeds, ACCURACY + change), (situation.other_seeds, ACCURACY)):
        logits = item + INTERACTION_SD * rng.standard_normal((_BATCH, 1, items))
        logits = logits + SEED_SD * rng.standard_normal((_BATCH, seeds, 1))
        logits = logits + SEED_ITEM_SD * rng.standard_normal((_BATCH, seeds, items))
        logits += draw_sd * rng.standard_normal((_BATCH, 1 if name == "one corpus draw" else seeds, 1))
        if words_sd:
            logits += np.repeat(words_sd * rng.standard_normal((_BATCH, 1, 10)), items // 10, axis=-1)
        logits += intercept(accuracy, float(np.sqrt(SEED_SD**2 + draw_sd**2 + words_sd**2)), 1.0)
        right = rng.random(logits.shape) < 1 / (1 + np.exp(-logits))
        if name == "failed seeds":  # of both sides: 30 points of their right decisions become wrong
            fails = rng.random((_BATCH, seeds, 1)) < share
            right &= ~fails | (rng.random(logits.shape) > 0.3 / ACCURACY)
        sides.append(right.astype(np.float64))
    return summarize_paradigm(sides[0], sides[1])


def _over_phenomena(rng: np.random.Generator, situation: Situation) -> Iterator[Interval]:
    """Draw accuracies by seed and paradigm; a seed has an effect on all paradigms, and one on each."""
    phenomena = [str(index) for index, size in enumerate(BLIMP) for _ in range(size)]
    seed_sd = situation.share * ACCURACY * (1 - ACCURACY) * np.sqrt(0.5)
    for _ in range(_BATCH):
        between = np.repeat(rng.standard_normal(len(BLIMP)), BLIMP)
        change = situation.change / 100 + CHANGE_SD * np.sqrt(0.5) * (between + rng.standard_normal(len(phenomena)))
        sides = [
            side_mean + seed_sd * (rng.standard_normal((seeds, 1)) + rng.standard_normal((seeds, len(phenomena))))
            for side_mean, seeds in ((change, situation.seeds), (0.0, situation.other_seeds))
        ]
        variance, df = variance_over_seeds(*(side.mean(1)[None] for side in sides), paired=True)
        found = over_phenomena(
            sides[0].mean(0) - sides[1].mean(0), phenomena, over_seeds=(float(variance[0]), float(df[0]))
        )
        if found is not None:
            yield found.low, found.high, found.p, MARGIN


def finished_rows(path: Path) -> list[tuple[Situation, Shares]]:
    """Return the rows of a table."""
    return read_table(path, Situation, Shares)


def read_table(path: Path, situation: type[Row], result: type[Other]) -> list[tuple[Row, Other]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [(_read_row(situation, row), _read_row(result, row)) for row in csv.DictReader(file)]


def _read_row(row_type: type[Row], row: dict[str, str]) -> Row:
    kinds = {"int": int, "float": float, "str": str}
    values: dict[str, Any] = {field.name: kinds[str(field.type)](row[field.name]) for field in fields(row_type)}  # type: ignore[arg-type]
    return row_type(**values)


def write_table(
    description: str | None,
    row_types: tuple[type[Row], type[Other]],
    situations: Iterable[Row],
    simulate: Callable[[Row, int], Other],
    simulations: int,
) -> None:
    """Write, as a command with options, a row for each situation with the result of its simulation."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulations", type=int, default=simulations)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    with options.output.open("w", newline="", encoding="utf-8") as file:
        names = [field.name for row_type in row_types for field in fields(row_type)]  # type: ignore[arg-type]
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        for situation in situations:
            result = simulate(situation, options.simulations)
            writer.writerow(asdict(situation) | asdict(result))  # type: ignore[call-overload]
            file.flush()


if __name__ == "__main__":
    write_table(__doc__, (Situation, Shares), situations(), simulate, 4000)
