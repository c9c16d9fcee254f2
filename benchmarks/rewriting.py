"""Benchmarks of rewriting: every sentence reordered, and one sentence in a hundred changed."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.machine import version_of
from benchmarks.processes import Process, run_fictc, run_module, summarize
from benchmarks.tables import table, times

_REWRITES = Path(__file__).parent / "rewrites"
_LOOPS = {"lines": "loop over the lines of CoNLL-U", "udapi": "loop over Udapi's nodes"}


def reorder(corpus: Path, store: Path, words: int, runs: int) -> str:
    """Compare `order sentence by length` on a store with loops over the trees of CoNLL-U; all write text."""
    with tempfile.TemporaryDirectory(dir=store.parent) as folder:
        ours, rows = Path(folder) / "fictc.txt", []
        process = _apply("short-first.fict", store, ours, runs)
        rows.append(["`fictc apply`", process.cpu, words / process.cpu, None, round(process.memory), None])
        for method, name in _LOOPS.items():
            if method == "udapi" and version_of("udapi") is None:
                continue
            output = Path(folder) / f"{method}.txt"
            loop = summarize([_run_loop(method, corpus, output) for _ in range(runs)])
            ratio = times(loop.cpu / process.cpu)
            rows.append(
                [name, loop.cpu, words / loop.cpu, ratio, round(loop.memory), f"{_same_share(ours, output):.1%}"]
            )
    headings = ["way", "CPU s", "words per CPU s", "against fictc", "resident MiB", "sentences with the same words"]
    return table(headings, rows)


def change_few(stores: Mapping[float, Path], runs: int) -> str:
    """Compare a rewrite that changes one sentence in a hundred with the removal of these sentences.

    `stores` maps sizes in million words to stores.
    """
    rows: list[list[float | str]] = []
    for size, store in stores.items():
        rows += [
            [size, output_format, *_cpu_seconds(store, output_format, runs)] for output_format in ("text", "conllu")
        ]
    return table(["million words", "output", "removed, CPU s", "rewritten, CPU s", "against removal"], rows)


def _cpu_seconds(store: Path, output_format: str, runs: int) -> list[float | str]:
    """Return the CPU seconds of the removal and of the rewrite, and their ratio.

    Both are run in turn, so that other work on the machine slows both.
    """
    with tempfile.TemporaryDirectory(dir=store.parent) as folder:
        output = Path(folder) / output_format
        names = ("without-ditransitive.fict", "to-prepositional-object.fict")
        commands = [_arguments(name, store, output, output_format) for name in names]
        for command in commands:
            run_fictc(*command)  # verifies the files of the store
        rounds = [[run_fictc(*command) for command in commands] for _ in range(runs)]
    removal, rewrite = (summarize(processes).cpu for processes in zip(*rounds, strict=True))
    return [removal, rewrite, times(rewrite / removal)]


def _apply(name: str, store: Path, output: Path, runs: int) -> Process:
    arguments = _arguments(name, store, output, "text")
    run_fictc(*arguments)  # verifies the files of the store
    return summarize([run_fictc(*arguments) for _ in range(runs)])


def _arguments(name: str, store: Path, output: Path, output_format: str) -> list[object]:
    filters, corpus = _REWRITES / name, ("--corpus", store, "--threads", 1)
    return ["apply", filters, *corpus, "--format", output_format, "--output", output]


def _run_loop(method: str, corpus: Path, output: Path) -> Process:
    return run_module("benchmarks.peers.order", method, corpus, output)


def _same_share(ours: Path, theirs: Path) -> float:
    """Return the share of sentences with the same words in the same order, ignoring spaces."""
    lines = [[line.replace(" ", "") for line in file.read_text("utf-8").splitlines()] for file in (ours, theirs)]
    return sum(left == right for left, right in zip(*lines, strict=True)) / len(lines[0])
