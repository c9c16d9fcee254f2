"""Benchmarks of rewriting: every sentence reordered, and one sentence in a hundred changed."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.machine import version_of
from benchmarks.processes import Process, median, run_fictc, run_module
from benchmarks.tables import table, times

_REWRITES = Path(__file__).parent / "rewrites"
_LOOPS = {"lines": "loop over the lines of CoNLL-U", "udapi": "loop over Udapi's nodes"}


def reorder(corpus: Path, store: Path, words: int, runs: int) -> str:
    """Compare `order sentence by length` with loops over trees; all read a file and write text."""
    with tempfile.TemporaryDirectory(dir=store.parent) as folder:
        ours, rows = Path(folder) / "fictc.txt", []
        process = _apply("short-first.fict", store, ours, runs)
        rows.append(["`fictc apply`", process.cpu, words / process.cpu, None, round(process.memory), None])
        for kind, name in _LOOPS.items():
            if kind == "udapi" and version_of("udapi") is None:
                continue
            output = Path(folder) / f"{kind}.txt"
            loop = median([_run_loop(kind, corpus, output) for _ in range(runs)])
            ratio = times(loop.cpu / process.cpu)
            rows.append(
                [name, loop.cpu, words / loop.cpu, ratio, round(loop.memory), f"{_same_share(ours, output):.1%}"]
            )
    headings = ["way", "CPU s", "words per CPU s", "against fictc", "resident MB", "sentences with the same words"]
    return table(headings, rows)


def change_few(stores: Mapping[float, Path], runs: int) -> str:
    """Compare a rewrite that changes one sentence in a hundred with the removal of these sentences.

    `stores` maps sizes in million words to stores.
    """
    rows: list[list[float | str]] = []
    for size, store in stores.items():
        rows += [[size, kind, *_cpu_seconds(store, kind, runs)] for kind in ("text", "conllu")]
    return table(["million words", "output", "removed, CPU s", "rewritten, CPU s", "against removal"], rows)


def _cpu_seconds(store: Path, kind: str, runs: int) -> list[float | str]:
    with tempfile.TemporaryDirectory(dir=store.parent) as folder:
        output = Path(folder) / kind
        removal = _apply("without-ditransitive.fict", store, output, runs, kind)
        rewrite = _apply("to-prepositional-object.fict", store, output, runs, kind)
    return [removal.cpu, rewrite.cpu, times(rewrite.cpu / removal.cpu)]


def _apply(name: str, store: Path, output: Path, runs: int, kind: str = "text") -> Process:
    arguments = ["apply", _REWRITES / name, "--corpus", store, "--threads", 1, "--format", kind, "--output", output]
    run_fictc(*arguments)  # verifies the files of the store
    return median([run_fictc(*arguments) for _ in range(runs)])


def _run_loop(kind: str, corpus: Path, output: Path) -> Process:
    return run_module("benchmarks.peers.order", kind, corpus, output)


def _same_share(ours: Path, theirs: Path) -> float:
    """Return the share of sentences with the same words in the same order, whatever the spaces between them."""
    lines = [[line.replace(" ", "") for line in file.read_text("utf-8").splitlines()] for file in (ours, theirs)]
    return sum(left == right for left, right in zip(*lines, strict=True)) / len(lines[0])
