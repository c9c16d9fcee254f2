"""The folder of WinoBias."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from runner.score.suite_files import Pair, non_empty
from runner.score.winobias import is_winobias, winobias_pairs

NAME = "a folder of WinoBias"


def claims(path: Path) -> bool:
    return is_winobias(path)


def pairs(path: Path) -> Iterator[Pair]:
    """Yield the pairs. Raises InputError as `winobias_pairs` does."""
    yield from non_empty(path, (Pair(**record) for record in winobias_pairs(path)))
