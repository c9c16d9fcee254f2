"""Every shipped filter and generated filters by DuckDB, Spark SQL and DuckDB in Spark, with a count of what was tried.

    FICTC_DATA=… python -m tests.properties.many_on_spark --filters 200 [--trees 10000] [--master 'local[1]']

One store holds the generated trees and, where FICTC_DATA names them, UD English EWT and CHILDES, in several chunks.
Rows are compared with their order. What the actions take is compared on the generated trees alone. Ends with 1 where
anything differs.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from fictdsl.installation import shipped
from runner.corpus.filter_arguments import load_filters
from runner.corpus.spark import DuckDbInSpark, SparkSql, spark_session
from tests.support.spark import CLUSTER, SETTINGS, chunked, compare, generated_filters, small_chunks, treebank
from tests.support.strategies.vocabulary import FEATURES
from tests.support.ways import ROWS, SECONDS, affordable, sentence_order, within

# characters of a statement; Spark plans each use of a subquery again, and 1 GB does not hold longer plans
LONGEST = 60_000


def main() -> int:
    """Compare, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--filters", type=int, default=200)
    parser.add_argument("--trees", type=int, default=10_000)
    parser.add_argument("--master", default=CLUSTER)
    options = parser.parse_args()
    own, faults = load_filters([str(shipped("filters"))]), 0
    with (
        TemporaryDirectory() as name,
        pytest.MonkeyPatch.context() as patch,
        spark_session(options.master, SETTINGS) as spark,
    ):
        folder = Path(name)
        trees = treebank(folder, options.trees)
        treebanks = _treebanks()
        small_chunks(patch, 60_000 if treebanks else 300)
        large = chunked([*treebanks, trees], folder / "large")
        plain = within(sentence_order(large, FEATURES), SECONDS, ROWS)
        drawn = generated_filters(3 * options.filters)
        short = [each for each in drawn if len(each.statement("spark").text) <= LONGEST]
        generated, passed = affordable(short, plain, options.filters)
        print(f"{len(generated)} generated filters, {passed} passed over for finding or taking too much;", end=" ")
        print(f"{len(drawn) - len(short)} of {len(drawn)} have a statement of over {LONGEST:,} characters", flush=True)
        small_chunks(patch, 300)
        small = chunked([treebank(folder, 200, seed=8)], folder / "small")
        parts = [("shipped", own, large, False), ("generated", generated, large, False)]
        parts.append(("actions", [each for each in generated if _takes(each)], small, True))
        for what, filters, store, actions in parts:
            for kind, engine in (
                ("Spark SQL", SparkSql(store, spark)),
                ("DuckDB in Spark", DuckDbInSpark(store, spark)),
            ):
                begun = time.perf_counter()
                told = compare(store, filters, {kind: engine}, actions=actions)
                faults += len(told.differences)
                size = f"{store.info.sentences} sentences, {store.info.chunks} chunks"
                print(f"{what} filters on {kind}, {size}: {told.filters} filters ({told.matching} match),", end=" ")
                print(f"{told.answers} answers, {told.rows} rows, {len(told.differences)} differences,", end=" ")
                print(f"{time.perf_counter() - begun:.0f} s", flush=True)
                print("\n".join(map(_shortened, told.differences[:5])), flush=True)
    return 1 if faults else 0


def _shortened(difference: str) -> str:
    """Return a difference without the middle of its statement."""
    return difference if len(difference) <= 2_000 else f"{difference[:1_000]} … {difference[-1_000:]}"


def _takes(each: object) -> bool:
    return any(action.target != "sentence" for action in each.ir.actions)  # type: ignore[attr-defined]


def _treebanks() -> list[Path]:
    folder = os.environ.get("FICTC_DATA")
    names = ("ud-ewt", "ud-childes")
    return [] if folder is None else [path for name in names for path in sorted((Path(folder) / name).glob("*.conllu"))]


if __name__ == "__main__":
    sys.exit(main())
