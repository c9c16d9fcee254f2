"""Benchmarks of filters in other tools, which keep a corpus in memory, and of loops over pickled Stanza documents."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from benchmarks import ours
from benchmarks.cases import Case
from benchmarks.data import Data
from benchmarks.measure import interleaved
from benchmarks.tables import Cell, table, times

TOOLS = {"Udapi": "udapi_nodes", "spaCy": "spacy_matcher", "graphANNIS": "graphannis_queries"}
BASE = "fictc"


def tools(cases: Sequence[Case], data: Data, millions: float, *, runs: int) -> str:
    """Return a table of the CPU seconds of each filter with each installed tool; reading the corpus is not counted."""
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
    engine = ours.ways(data.store(millions), 1)[BASE]
    rows: list[list[Cell]] = []
    sums = dict.fromkeys((BASE, *finders), 0.0)
    for case in cases:
        able = {name: find for name, (find, filters) in finders.items() if case.name in filters}
        if not able:
            continue
        ways: dict[str, Callable[[], Sequence[int]]] = {BASE: partial(_sids, engine.find, case)}
        ways |= {name: partial(find, case.name) for name, find in able.items()}
        spent = interleaved(ways, runs)
        expected = spent[BASE].result
        cells: list[Cell] = [case.name, len(expected), spent[BASE].cpu]
        sums[BASE] += spent[BASE].cpu
        for name in finders:
            sums[name] += spent[name].cpu
            differ = len(set(spent[name].result) ^ set(expected))
            cells.append(spent[name].cpu)
            cells.append(times(spent[name].cpu / spent[BASE].cpu) + (f" ({differ} sentences differ)" if differ else ""))
        rows.append(cells)
    last: list[Cell] = ["all", None, sums[BASE]]
    for name in finders:
        last += [sums[name], times(sums[name] / sums[BASE])]
    heads = ["filter", "sentences", BASE, *(head for name in finders for head in (name, f"{name} / {BASE}"))]
    return "\n\n".join([table(heads, [*rows, last]), *absent])


def _sids(find: Callable[[Case], npt.NDArray[np.int64]], case: Case) -> list[int]:
    sids: list[int] = find(case).tolist()
    return sids


def documents(cases: Sequence[Case], data: Data, millions: float, large: float, *, runs: int) -> str:
    """Compare the twelve filters with released code as loops over Stanza documents and in fictc, on two corpora."""
    from benchmarks.peers import stanza_documents as peer

    files = peer.documents(data.corpus(millions), data.folder / f"{millions:g}m.stanza")
    chosen = [case for case in cases if case.name in peer.FILTERS]
    small, big = (ours.ways(data.store(size), 1)[BASE] for size in (millions, large))
    spent = {
        case.name: interleaved({"small": partial(small.find, case), "big": partial(big.find, case)}, runs)
        for case in chosen
    }
    once = interleaved({"small": partial(small.count, chosen), "big": partial(big.count, chosen)}, runs)
    loops = [peer.looped(files) for _ in range(runs)]
    rows: list[list[Cell]] = []
    total = [0.0, 0.0, 0.0]
    for case in chosen:
        evaluation = float(np.median([loop.evaluation[case.name] for loop in loops])) / millions
        few, many = spent[case.name]["small"].cpu / millions, spent[case.name]["big"].cpu / large
        total = [total[0] + evaluation, total[1] + few, total[2] + many]
        same = np.array_equal(loops[0].found[case.name], spent[case.name]["small"].result)
        rows.append(
            [
                case.name,
                evaluation,
                few,
                many,
                times(evaluation / few),
                times(evaluation / many),
                "yes" if same else "**no**",
            ]
        )
    load = float(np.median([loop.loading for loop in loops])) / millions
    loaded = total[0] + len(chosen) * load
    rows.append(["all", *total, times(total[0] / total[1]), times(total[0] / total[2]), ""])
    rows.append(
        ["all, documents loaded for each", loaded, *total[1:], times(loaded / total[1]), times(loaded / total[2]), ""]
    )
    few, many = once["small"].cpu / millions, once["big"].cpu / large
    rows.append(["all, in one go by fictc", total[0], few, many, times(total[0] / few), times(total[0] / many), ""])
    columns = [f"{BASE}, {size:g} M words" for size in (millions, large)]
    heads = [
        "filter",
        f"loop, {millions:g} M words",
        *columns,
        *(f"loop / {column}" for column in columns),
        "same sentences",
    ]
    return table(heads, rows)
