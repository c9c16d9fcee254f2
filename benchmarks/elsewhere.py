"""Benchmarks of filters in other tools, which hold a corpus in memory, and of loops over pickled Stanza documents."""

from __future__ import annotations

import importlib
import sys
from argparse import ArgumentError
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from benchmarks import ours
from benchmarks.cases import Case
from benchmarks.data import Data
from benchmarks.measure import measure_interleaved
from benchmarks.tables import Cell, table, times

TOOLS = {"Udapi": "udapi_nodes", "spaCy": "spacy_matcher", "graphANNIS": "graphannis_queries"}
BASE = "fictc"


def tools(cases: Sequence[Case], data: Data, millions: float, *, runs: int) -> str:
    """Return a table of the CPU seconds of each filter with each installed tool; reading the corpus is not counted.

    Raises ArgumentError if tools are installed but have none of the filters.
    """
    finders: dict[str, tuple[Callable[[str], list[int]], frozenset[str]]] = {}
    absent = []
    for name, module in TOOLS.items():
        try:
            peer = importlib.import_module(f"benchmarks.peers.{module}")
        except ImportError as error:
            absent.append(f"{name} is not included: {error}.")
            continue
        finders[name] = (peer.finder(data.corpus(millions)), frozenset(peer.FILTERS))
        print(f"{name} has read the corpus", file=sys.stderr, flush=True)
    base_way = ours.ways(data.store(millions), 1)[BASE]
    rows: list[list[Cell]] = []
    sums = dict.fromkeys((BASE, *finders), 0.0)
    for case in cases:
        supported = {name: find for name, (find, filters) in finders.items() if case.name in filters}
        if not supported:
            continue
        ways: dict[str, Callable[[], Sequence[int]]] = {BASE: partial(_sids, base_way.find, case)}
        ways |= {name: partial(find, case.name) for name, find in supported.items()}
        measurements = measure_interleaved(ways, runs)
        expected = measurements[BASE].result
        cells: list[Cell] = [case.name, len(expected), measurements[BASE].cpu]
        sums[BASE] += measurements[BASE].cpu
        for name in finders:
            sums[name] += measurements[name].cpu
            difference_count = len(set(measurements[name].result) ^ set(expected))
            cells.append(measurements[name].cpu)
            cells.append(
                times(measurements[name].cpu / measurements[BASE].cpu)
                + (f" ({difference_count} sentences differ)" if difference_count else "")
            )
        rows.append(cells)
    if finders and not rows:
        raise ArgumentError(None, f"--only: {', '.join(finders)}: no query for these filters")
    total_row: list[Cell] = ["all", None, sums[BASE]]
    for name in finders:
        total_row += [sums[name], times(sums[name] / sums[BASE])]
    headings = ["filter", "sentences", BASE, *(heading for name in finders for heading in (name, f"{name} / {BASE}"))]
    return "\n\n".join([table(headings, [*rows, total_row]), *absent])


def _sids(find: Callable[[Case], npt.NDArray[np.int64]], case: Case) -> list[int]:
    sids: list[int] = find(case).tolist()
    return sids


def documents(cases: Sequence[Case], data: Data, small_size: float, large_size: float, *, runs: int) -> str:
    """Compare the twelve filters of `benchmarks.peers.loop` over Stanza documents with the same filters in fictc.

    Sizes are in million words. The loops run on the small corpus, fictc on both.
    """
    from benchmarks.peers import stanza_documents as peer

    files = peer.documents(data.corpus(small_size), data.folder / f"{small_size:g}m.stanza")
    selected_cases = [case for case in cases if case.name in peer.FILTERS]
    small_way, large_way = (ours.ways(data.store(size), 1)[BASE] for size in (small_size, large_size))
    measurements = {
        case.name: measure_interleaved(
            {"small": partial(small_way.find, case), "large": partial(large_way.find, case)}, runs
        )
        for case in selected_cases
    }
    all_at_once = measure_interleaved(
        {"small": partial(small_way.count, selected_cases), "large": partial(large_way.count, selected_cases)}, runs
    )
    loops = [peer.run_loops(files) for _ in range(runs)]
    rows: list[list[Cell]] = []
    total = [0.0, 0.0, 0.0]
    for case in selected_cases:
        evaluation = float(np.median([loop.evaluation[case.name] for loop in loops])) / small_size
        small_cpu, large_cpu = (
            measurements[case.name]["small"].cpu / small_size,
            measurements[case.name]["large"].cpu / large_size,
        )
        total = [total[0] + evaluation, total[1] + small_cpu, total[2] + large_cpu]
        same = np.array_equal(loops[0].found[case.name], measurements[case.name]["small"].result)
        rows.append(
            [
                case.name,
                evaluation,
                small_cpu,
                large_cpu,
                times(evaluation / small_cpu),
                times(evaluation / large_cpu),
                "yes" if same else "**no**",
            ]
        )
    loading = float(np.median([loop.loading for loop in loops])) / small_size
    total_with_loading = total[0] + len(selected_cases) * loading
    rows.append(["all", *total, times(total[0] / total[1]), times(total[0] / total[2]), ""])
    rows.append(
        [
            "all, documents loaded for each",
            total_with_loading,
            *total[1:],
            times(total_with_loading / total[1]),
            times(total_with_loading / total[2]),
            "",
        ]
    )
    small_cpu, large_cpu = all_at_once["small"].cpu / small_size, all_at_once["large"].cpu / large_size
    rows.append(
        [
            "all, in one go by fictc",
            total[0],
            small_cpu,
            large_cpu,
            times(total[0] / small_cpu),
            times(total[0] / large_cpu),
            "",
        ]
    )
    columns = [f"{BASE}, {size:g} M words" for size in (small_size, large_size)]
    headings = [
        "filter",
        f"loop, {small_size:g} M words",
        *columns,
        *(f"loop / {column}" for column in columns),
        "same sentences",
    ]
    return table(headings, rows)
