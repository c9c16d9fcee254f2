"""Benchmark of reading CoNLL-U: `fictc import`, only its column parser, a loop that splits lines, and `conll2doc`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.data import MILLION, Data
from benchmarks.measure import measure_interleaved
from benchmarks.processes import run_fictc, summarize
from benchmarks.tables import Cell, table, times
from runner.corpus.byte_columns import Rows, index_lines, parse_rows, read_pieces
from runner.corpus.conllu_columns import Notes
from runner.corpus.conllu_validation import validate

SMALL_SIZES = (2_000, 5_000, 20_000, 50_000)  # words; `conll2doc` is slower on larger texts


def measure(data: Data, sizes: Sequence[float], jobs: Sequence[int], runs: int) -> str:
    """Return a table of words per CPU second, with ratios to `conll2doc` at the size at which it is fastest.

    `sizes` are in million words; an import of more than 20 is run once. `jobs` are numbers of processes.
    """
    texts = {words: read_beginning(data.corpus(sizes[0]), words) for words in SMALL_SIZES}
    ways: dict[str, Callable[[], int]] = {
        f"conll2doc, {words:,} words": (lambda text=text: conll2doc(text)) for words, text in texts.items()
    }
    ways["raw columns, checked, in memory"] = lambda: raw_columns(data.corpus(sizes[0]))
    ways["split loop, nothing checked"] = lambda: split_loop(data.corpus(sizes[0]))
    measurements = measure_interleaved(ways, runs)
    base_speed = max(
        measured.result / measured.cpu for name, measured in measurements.items() if name.startswith("conll2doc")
    )
    rows: list[list[Cell]] = [
        [
            name,
            round(measured.result / measured.cpu),
            times(measured.result / measured.cpu / base_speed),
            round(measured.result / measured.wall),
            None,
        ]
        for name, measured in measurements.items()
    ]
    for size in sizes:
        corpus, target = data.corpus(size), data.folder / "imported.store"
        for job_count in jobs:
            processes = []
            for _ in range(1 if size > 20 else runs):
                shutil.rmtree(target, ignore_errors=True)
                processes.append(run_fictc("import", corpus, "--output", target, "--jobs", job_count))
            shutil.rmtree(target, ignore_errors=True)
            process, words = summarize(processes), size * MILLION
            name = f"fictc import, {size:g} M words, {job_count} process{'es' if job_count > 1 else ''}"
            speed = words / process.cpu
            rows.append(
                [name, round(speed), times(speed / base_speed), round(words / process.wall), round(process.memory)]
            )
    headings = ["reader", "words per CPU second", "against conll2doc", "words per second", "largest process, MiB"]
    return table(headings, rows)


def raw_columns(file: Path) -> int:
    """Read only the ten columns, validated, in memory; return the number of words."""
    words = 0
    with file.open("rb") as stream:
        for piece in read_pieces(stream, Notes()):
            lines = index_lines(piece, Notes())
            parsed = parse_rows(lines)
            assert isinstance(parsed, Rows)
            structure = validate(parsed, len(lines.first))
            words += int(structure.words.sum())
    return words


def split_loop(file: Path) -> int:
    """Split lines into lists of strings, without validation; return the number of words."""
    words, sentence = 0, list[list[str]]()
    with file.open(encoding="utf-8") as stream:
        for line in stream:
            if line[0].isdigit():
                fields = line.rstrip("\n").split("\t")
                words += fields[0].isdigit()
                sentence.append(fields)
            elif line == "\n":
                sentence = []
    return words


def conll2doc(text: str) -> int:
    """Read a text with Stanza, repeatedly if it is short; return the number of words."""
    from stanza.utils.conll import CoNLL

    words = 0
    while words < SMALL_SIZES[-1]:
        words += CoNLL.conll2doc(input_str=text).num_words
    return words


def read_beginning(file: Path, limit: int) -> str:
    """Return the first sentences of a file, with about `limit` words."""
    sentences, words, block = list[str](), 0, list[str]()
    with file.open(encoding="utf-8") as stream:
        for line in stream:
            block.append(line)
            if line == "\n":
                sentences += block
                words += len([row for row in block if row[0].isdigit()])
                block = []
                if words >= limit:
                    break
    return "".join(sentences)
