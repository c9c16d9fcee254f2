"""How many words per CPU second come in: `import_files`, its columns alone, a bare split loop, Stanza's `conll2doc`.

`python benchmarks/import_speed.py FILE... [--runs N] [--jobs N]` takes turns and prints the medians of all runs.
`conll2doc` reads the first 20,000 words of each file: it is slower on more.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from runner.corpus.blocks import FileNotes
from runner.corpus.check import check
from runner.corpus.import_conllu import import_files
from runner.corpus.layout import Rows, rows, split
from runner.corpus.pieces import pieces

SMALL = 20_000


def imported(files: Sequence[Path], jobs: int = 1) -> int:
    """Make a store: validated, with derived columns, statistics and hashes."""
    with tempfile.TemporaryDirectory() as folder:
        return import_files(files, Path(folder) / "store", jobs=jobs).info.words


def raw_columns(files: Sequence[Path]) -> int:
    """Only the ten columns, checked, in memory."""
    words = 0
    for file in files:
        with file.open("rb") as stream:
            for piece in pieces(stream, FileNotes()):
                lines = split(piece, FileNotes())
                found = rows(lines)
                assert isinstance(found, Rows)
                shape = check(found, len(lines.first))
                words += int(shape.words.sum())
    return words


def split_loop(files: Sequence[Path]) -> int:
    """Lines split into lists of strings, nothing checked."""
    words = 0
    for file in files:
        sentence: list[list[str]] = []
        with file.open(encoding="utf-8") as stream:
            for line in stream:
                if line[0].isdigit():
                    fields = line.rstrip("\n").split("\t")
                    words += fields[0].isdigit()
                    sentence.append(fields)
                elif line == "\n":
                    sentence = []
    return words


def conll2doc(texts: Sequence[str]) -> int:
    """Stanza's reader."""
    from stanza.utils.conll import CoNLL

    return sum(CoNLL.conll2doc(input_str=text).num_words for text in texts)


def beginning(file: Path) -> str:
    """The first sentences of a file, about SMALL words."""
    found, words = [], 0
    for block in file.read_text(encoding="utf-8").split("\n\n"):
        words += block.count("\n")
        if words > SMALL:
            break
        found.append(block)
    return "\n\n".join(found) + "\n\n"


def cpu() -> float:
    """CPU seconds of this process and of those it has waited for."""
    ours, theirs = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return ours.ru_utime + ours.ru_stime + theirs.ru_utime + theirs.ru_stime


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    texts = [text for text in map(beginning, given.files) if text.strip()]
    ways: dict[str, Callable[[], int]] = {
        "fictc import": lambda: imported(given.files),
        f"fictc import --jobs {given.jobs}": lambda: imported(given.files, given.jobs),
        "raw columns": lambda: raw_columns(given.files),
        "split loop": lambda: split_loop(given.files),
        "stanza conll2doc": lambda: conll2doc(texts),
    }
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    imported(given.files[:1])
    conll2doc(texts[:1])
    for _ in range(given.runs):
        for name, way in ways.items():
            begin, wall = cpu(), time.perf_counter()
            words = way()
            seen[name].append((words / (cpu() - begin), words / (time.perf_counter() - wall)))
    base = statistics.median(speed for speed, _ in seen["stanza conll2doc"])
    print("| reader | words per CPU second | against conll2doc | words per second |\n|---|---|---|---|")
    for name, found in seen.items():
        speed, wall = (statistics.median(values) for values in zip(*found, strict=True))
        print(f"| {name} | {speed:,.0f} | {speed / base:.1f} | {wall:,.0f} |")
    print(
        f"\nLargest resident memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB"
    )


if __name__ == "__main__":
    main()
