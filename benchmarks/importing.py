"""How fast words come in: `fictc import` in processes of its own, its columns alone, and Stanza's `conll2doc`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.data import MILLION, Data
from benchmarks.measure import interleaved
from benchmarks.processes import median, spent
from benchmarks.tables import Cell, table, times
from runner.corpus.conllu.line_index import Rows, index_lines, parse_rows
from runner.corpus.conllu.validate import validate
from runner.corpus.files.blocks import FileNotes
from runner.corpus.files.pieces import read_pieces

SMALL = (2_000, 5_000, 20_000, 50_000)  # words: `conll2doc` is slower on more


def measure(data: Data, sizes: Sequence[float], jobs: Sequence[int], runs: int) -> str:
    """Words per CPU second of each way, beside `conll2doc` at the size where it is fastest."""
    texts = {words: beginning(data.corpus(sizes[0]), words) for words in SMALL}
    ways: dict[str, Callable[[], int]] = {
        f"conll2doc, {words:,} words": (lambda text=text: conll2doc(text)) for words, text in texts.items()
    }
    ways["raw columns, checked, in memory"] = lambda: raw_columns(data.corpus(sizes[0]))
    ways["split loop, nothing checked"] = lambda: split_loop(data.corpus(sizes[0]))
    taken = interleaved(ways, runs)
    base = max(one.result / one.cpu for name, one in taken.items() if name.startswith("conll2doc"))
    lines: list[list[Cell]] = [
        [name, round(one.result / one.cpu), times(one.result / one.cpu / base), round(one.result / one.wall), None]
        for name, one in taken.items()
    ]
    for size in sizes:
        corpus, target = data.corpus(size), data.folder / "imported.store"
        for number in jobs:
            found = []
            for _ in range(1 if size > 20 else runs):
                shutil.rmtree(target, ignore_errors=True)
                found.append(spent("import", corpus, "--output", target, "--jobs", number))
            shutil.rmtree(target, ignore_errors=True)
            one, words = median(found), size * MILLION
            name = f"fictc import, {size:g} M words, {number} process{'es' if number > 1 else ''}"
            speed = words / one.cpu
            lines.append([name, round(speed), times(speed / base), round(words / one.wall), round(one.memory)])
    heads = ["reader", "words per CPU second", "against conll2doc", "words per second", "largest process, MB"]
    return table(heads, lines)


def raw_columns(file: Path) -> int:
    """Only the ten columns, checked, in memory."""
    words = 0
    with file.open("rb") as stream:
        for piece in read_pieces(stream, FileNotes()):
            lines = index_lines(piece, FileNotes())
            found = parse_rows(lines)
            assert isinstance(found, Rows)
            shape = validate(found, len(lines.first))
            words += int(shape.words.sum())
    return words


def split_loop(file: Path) -> int:
    """Lines split into lists of strings, nothing checked."""
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
    """Stanza's reader; short texts are read several times."""
    from stanza.utils.conll import CoNLL

    words = 0
    while words < SMALL[-1]:
        words += CoNLL.conll2doc(input_str=text).num_words
    return words


def beginning(file: Path, limit: int) -> str:
    """The first sentences of a file, about so many words."""
    found, words, block = list[str](), 0, list[str]()
    with file.open(encoding="utf-8") as stream:
        for line in stream:
            block.append(line)
            if line == "\n":
                found += block
                words += len([row for row in block if row[0].isdigit()])
                block = []
                if words >= limit:
                    break
    return "".join(found)
