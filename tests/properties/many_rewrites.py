"""Many generated rewrites on generated sentences, by the engine and by the interpreter, with a count of what was tried.

    python -m tests.properties.many_rewrites --pairs 200000 [--seed 1] [--jobs 2]

The first difference is printed and ends the run with 1. So does an action, two actions
in some order, a feature of sentences, or something that can become of a match, that was never tried. A round is the
same in any process.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from multiprocessing import get_context

from tests.support.rewriting.compare import (
    ACTIONS,
    COMBINATIONS,
    FEATURES,
    OUTCOMES,
    Pair,
    compare,
    compiled,
    make_pair,
    make_sentence,
)
from tests.support.strategies.rng import Rng

SENTENCES = 5  # for each rewrite
ENOUGH = 10_000  # pairs in which two actions occur in each order


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare pairs and print the tally; 1 if there is a difference, or something was never tried."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args(arguments)
    started, tried = time.perf_counter(), Counter[str]()
    rounds = range(-(-options.pairs // SENTENCES))
    seeds = [options.seed * 1_000_000_000 + number for number in rounds]
    with get_context("spawn").Pool(options.jobs) as pool:
        for tried_in_round, fault in pool.imap(_round, seeds, chunksize=100):
            tried.update(tried_in_round)
            if fault is not None:
                print(fault)
                return 1
    print(f"{options.pairs:,} pairs in {time.perf_counter() - started:.0f} s")
    for name in (*ACTIONS, *OUTCOMES, *FEATURES, *COMBINATIONS):
        print(f"{tried[name]:>9,}  {name}")
    names = (*ACTIONS, *OUTCOMES, *FEATURES, *(COMBINATIONS if options.pairs >= ENOUGH else ()))
    missing = [name for name in names if not tried[name]]
    print(*[f"never tried: {', '.join(missing)}"] * bool(missing))
    return 1 if missing else 0


def _round(seed: int) -> tuple[Counter[str], str | None]:
    """Compare the two on one draw of rewrites and several sentences.

    Return the counts of what was tried, and a description of a difference or None.
    """
    rng, tried = Rng.seeded(seed), Counter[str]()
    pair = make_pair(rng)
    rewrites = compiled(pair)
    for _ in range(SENTENCES):
        try:
            tried.update(compare(pair, rewrites))
        except Exception as fault:  # noqa: BLE001 - whatever goes wrong is what is looked for
            return tried, f"FAULT, seed {seed}\n{pair.text}\n{pair.block}\n{type(fault).__name__}: {fault}"
        pair = Pair(pair.text, make_sentence(rng), pair.seed)
    return tried, None


if __name__ == "__main__":
    sys.exit(main())
