"""Corpora of the benchmarks in several sizes, as CoNLL-U, flat Parquet and stores, created on demand."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.corpora import write
from benchmarks.flat import flatten

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Data:
    """A folder of files made from treebanks; existing files are reused."""

    folder: Path
    treebanks: Sequence[Path]

    def corpus(self, millions: float) -> Path:
        """Return a CoNLL-U file of this many million words."""
        path = self._path(millions, ".conllu")
        if not path.exists():
            write(self.treebanks, round(millions * MILLION), path)
        return path

    def flat(self, millions: float) -> Path:
        """Return a Parquet file with the columns of `corpus` in sentence order."""
        path = self._path(millions, ".parquet")
        return path if path.exists() else flatten(self.corpus(millions), path)

    def store(self, millions: float) -> Path:
        """Return the store that `fictc import` makes from `corpus`."""
        path = self._path(millions, ".store")
        if not path.exists():
            fictc("import", self.corpus(millions), "--output", path)
        return path

    def _path(self, millions: float, suffix: str) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        return self.folder / f"{millions:g}m{suffix}"


def fictc(*arguments: object) -> None:
    """Run a command of fictc. Raises CalledProcessError if it fails."""
    subprocess.run([sys.executable, "-m", "runner.cli", *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)
