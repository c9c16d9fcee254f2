"""Simulate how often the 95 % interval over phenomena (`over_phenomena`) contains the true mean change.

    python -m benchmarks.phenomena --simulations 10000

The change of a paradigm is the mean change plus a deviation of its phenomenon and one of its own.
"""

from __future__ import annotations

import argparse
import zlib
from itertools import product

import numpy as np
from numpy.typing import NDArray

from runner.score.statistics.change import over_phenomena

SIZES = {
    "8 of 3": (3,) * 8,
    "20 of 5": (5,) * 20,
    "BLiMP": (2, 9, 7, 5, 8, 2, 7, 2, 8, 7, 4, 6),
}  # number of paradigms of each phenomenon
SHARES = (0.0, 0.5, 0.9)  # share of the variance of the changes that is between phenomena
DISTRIBUTIONS = ("normal", "exponential")
SD, CHANGE = 0.03, -0.02  # SD of the changes of paradigms, 3 points, around a mean drop of 2 points


def coverage(sizes: tuple[int, ...], share: float, distribution: str, simulations: int) -> float:
    """Return the share of intervals that contain the true change."""
    rng = np.random.default_rng(zlib.crc32(repr((sizes, share, distribution)).encode()))
    phenomena = [str(index) for index, size in enumerate(sizes) for _ in range(size)]
    contained = 0
    for _ in range(simulations):
        between = np.repeat(_deviations(rng, distribution, len(sizes)), sizes)
        within = _deviations(rng, distribution, len(phenomena))
        changes = CHANGE + SD * (np.sqrt(share) * between + np.sqrt(1 - share) * within)
        estimate = over_phenomena(changes, phenomena)
        contained += estimate is not None and estimate.low <= CHANGE <= estimate.high
    return contained / simulations


def _deviations(rng: np.random.Generator, distribution: str, count: int) -> NDArray[np.float64]:
    """Draw deviations with mean 0 and SD 1."""
    return rng.standard_normal(count) if distribution == "normal" else 1 - rng.standard_exponential(count)


def main() -> None:
    """Print a row for each combination."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulations", type=int, default=10_000)
    options = parser.parse_args()
    print("phenomena,share between,deviations,coverage")
    for (name, sizes), share, distribution in product(SIZES.items(), SHARES, DISTRIBUTIONS):
        print(name, share, distribution, coverage(sizes, share, distribution, options.simulations), sep=",", flush=True)


if __name__ == "__main__":
    main()
