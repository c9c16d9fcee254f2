"""Read the MSR Abstractive Text Compression Dataset: outputs of compression systems with ratings of grammaticality."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from runner.readers import read_text

# The grammar part of each combined rating (3: flawless, 1: disfluent), as the release documents it.
GRAMMAR = {6: 3, 7: 2, 9: 1, 11: 3, 12: 2, 14: 1, 21: 3, 22: 2, 24: 1}
FILES = "test_output.*.tsv"  # one for each of four systems, in the folder RawData of the release


def is_compressions_folder(path: Path) -> bool:
    """Return whether a path is a folder that contains the outputs of the systems."""
    return path.is_dir() and any(path.glob(FILES))


def compressions(folder: Path) -> Iterator[tuple[str, float]]:
    """Yield each compressed text with its mean rating of grammaticality (1 to 3), system by system.

    A line is `source ||| compression [||| …]`. A compression is `text TAB system TAB count TAB ratings`. A rating is a
    number followed by two descriptions. Raises ValueError with the file and line if a line has another format.
    """
    for file in sorted(folder.glob(FILES)):
        for line_number, line in enumerate(read_text(file).split("\n"), 1):
            for compression in line.split("|||")[1:]:
                try:
                    yield _text_and_rating(compression)
                except (ValueError, KeyError) as error:
                    raise ValueError(
                        f"line {line_number} of {file.name} has no ratings in the documented format ({error})"
                    ) from error


def _text_and_rating(compression: str) -> tuple[str, float]:
    text, _, count, *ratings = (field.strip() for field in compression.split("\t"))
    scores = [GRAMMAR[int(value)] for value in ratings[::3]]
    if not text or not scores or len(scores) != int(count):
        raise ValueError(f"expected {count} ratings, found {len(scores)}")
    return text, math.fsum(scores) / len(scores)
