"""Every shipped filter and generated ones, asked in every way there is, against one answer, with a count of what was tried.

    FICTC_DATA=… python -m tests.properties.matrix [--filters 200] [--trees 10000] [--seed 1] [--ways plan,store,…]

The corpora are generated trees, where the right answer is the reference interpreter's, and, where FICTC_DATA names them,
UD English EWT and CHILDES, where it is that of the plan that knows nothing of a corpus on rows in sentence order. Rows
are compared with their order. A line is printed for each corpus and way. Ends with 1 where anything differs.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import pytest

from fictdsl.compiler import CompiledFilter
from fictdsl.installation import shipped
from fictdsl.reference.sentences import read
from runner.corpus.filter_arguments import load_filters
from runner.corpus.import_conllu import import_files
from runner.corpus.index_build import build_index
from runner.corpus.limits import Limits
from runner.corpus.store import Store
from tests.support.arranged import arrangements, raw_columns
from tests.support.corpora import conllu
from tests.support.spark import generated_filters, small_chunks, without_empty_nodes
from tests.support.strategies.rng import Rng
from tests.support.strategies.sentences import make_sentence
from tests.support.strategies.vocabulary import FEATURES
from tests.support.ways import (
    ROWS,
    SECONDS,
    Rows,
    Way,
    affordable,
    by_the_reference,
    compare,
    in_store,
    remembered,
    sentence_order,
    within,
)

THREADS = (1, 2)
MEMORY = (64, 512, 8192)  # MB
EXTREMES = ((1, 64), (2, 8192))
CHUNKS = (3, 12)  # about so many, instead of one
RUNS = 5
KINDS = ("plan", "store", "runs")
COMMANDS = (("match", "--format", "json"), ("match", "--format", "conllu"), ("count", "--format", "json"))


@dataclass(frozen=True)
class Corpus:
    """A store of one chunk, the files it is of, the same tables in memory, the filters to ask and the right answers."""

    name: str
    filters: Sequence[CompiledFilter]
    files: Sequence[Path]
    store: Store
    tables: duckdb.DuckDBPyConnection  # in memory, in sentence order
    expected: Callable[[CompiledFilter], Rows]


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--filters", type=int, default=200, help="generated filters")
    parser.add_argument("--trees", type=int, default=10_000, help="generated trees")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ways", default=",".join(KINDS), help="kinds of ways")
    parser.add_argument("--times", type=int, default=1, help="how often a layout is drawn")
    parser.add_argument("--corpora", default="trees,ud-ewt,ud-childes")
    options = parser.parse_args(arguments)
    begun, faults, asked = time.process_time(), 0, 0
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", f"{name}/cache")
        for corpus in _corpora(Path(name), options):
            for way in _ways(corpus, Path(name), patch, options):
                start = time.process_time()
                told = compare(way, corpus.filters, corpus.expected)
                faults, asked = faults + len(told.differences), asked + told.answers
                print(f"{corpus.name}, {way.name}: {told.answers} filters, {told.matching} match,", end=" ")
                print(f"{told.rows:,} rows, {len(told.differences)} differences,", end=" ")
                print(f"{time.process_time() - start:.0f} s of CPU", flush=True)
                print("".join(f"    {one}\n" for one in told.differences[:5]), end="", flush=True)
            if "runs" in options.ways:
                outputs = _outputs(corpus.store)
                faults += outputs - len(COMMANDS)
                print(
                    f"{corpus.name}, {RUNS} runs of {len(COMMANDS)} commands: {outputs} different outputs", flush=True
                )
    print(f"{asked:,} answers, {faults} differences, {time.process_time() - begun:.0f} s of CPU")
    return 1 if faults else 0


def _shipped() -> list[CompiledFilter]:
    return load_filters([str(shipped("filters"))])


def _chosen(expected: Callable[[CompiledFilter], Rows], number: int, seed: int) -> list[CompiledFilter]:
    """The shipped filters, and as many generated ones, of those that a corpus can be asked in little time."""
    generated, passed = affordable(generated_filters(3 * number, seed), expected, number)
    chosen = _shipped() + generated
    print(f"{len(chosen)} filters, {passed} generated ones passed over for finding or taking too much", flush=True)
    return chosen


def _corpora(folder: Path, options: argparse.Namespace) -> Iterator[Corpus]:
    files = {}
    if "trees" in options.corpora:
        roll = options.seed * 2_000_000
        drawn = [without_empty_nodes(make_sentence(Rng.seeded(roll + number))) for number in range(options.trees)]
        files["trees"] = [folder / "trees.conllu"]
        files["trees"][0].write_text(conllu(drawn))
        bank = read(conllu(drawn))
    if (data := os.environ.get("FICTC_DATA")) is not None:
        treebanks = [name for name in options.corpora.split(",") if name != "trees"]
        files |= {name: sorted((Path(data) / name).glob("*.conllu")) for name in treebanks}
    for name, paths in files.items():
        store = import_files(paths, folder / name)
        own = {feature for each in _shipped() for feature in each.statement().features}
        features = sorted({*FEATURES, *own})
        plain = within(sentence_order(store, features), SECONDS, ROWS)
        expected = remembered(by_the_reference(bank) if name == "trees" else plain)
        filters = _chosen(expected, options.filters, options.seed)
        yield Corpus(name, filters, paths, store, sentence_order(store, features), expected)


def _ways(corpus: Corpus, folder: Path, patch: pytest.MonkeyPatch, options: argparse.Namespace) -> Iterator[Way]:
    chance = random.Random(options.seed)
    if "plan" in options.ways:
        yield from raw_columns(corpus.files)
        yield from arrangements(corpus.tables, chance, options.times)
    if "store" in options.ways:
        for limits in product(THREADS, MEMORY):
            yield _in_store(corpus.store, *limits)
        for parts in CHUNKS:
            small_chunks(patch, corpus.store.info.words // parts)
            store = import_files(corpus.files, folder / f"{corpus.name}-{parts}")
            yield from (_in_store(store, *limits) for limits in EXTREMES)
        build_index(store)
        yield from (_in_store(store, *limits) for limits in EXTREMES)
        build_index(corpus.store)
        yield from (_in_store(corpus.store, *limits) for limits in EXTREMES)


def _in_store(store: Store, threads: int, memory: int) -> Way:
    opened = Store.open(store.path, Limits(memory << 20, threads))
    index = ", with an index" if opened.index else ""
    return in_store(f"{store.info.chunks} chunks{index}, {threads} threads, {memory} MB", opened)


def _outputs(store: Store) -> int:
    """How many different outputs the commands have when each is run several times, with one thread and with two."""
    found: set[tuple[object, ...]] = set()
    for command, run in product(COMMANDS, range(RUNS)):
        called = [sys.executable, "-m", "runner.cli", command[0], str(shipped("filters")), "--corpus", str(store.path)]
        processors = set(sorted(os.sched_getaffinity(0))[: 1 + run % 2])
        ended = subprocess.run(
            [*called, *command[1:]],
            capture_output=True,
            check=True,
            preexec_fn=lambda processors=processors: os.sched_setaffinity(0, processors),  # type: ignore[misc]
        )
        found.add((command, hashlib.sha256(ended.stdout).hexdigest()))
    return len(found)


if __name__ == "__main__":
    sys.exit(main())
