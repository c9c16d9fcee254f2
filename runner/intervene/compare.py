"""Two training corpora into what differs: sentences that only one has, texts that were edited, another order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.readers import real_path

TEXT, SIDS = "text.txt", "sids.npy"


@dataclass(frozen=True)
class Corpus:
    """A training corpus: its lines, and for each the sentence of the base corpus (negative if it was injected)."""

    path: Path
    lines: list[str]
    sids: list[int] | None

    @classmethod
    def read(cls, path: Path) -> Corpus:
        """Read the folder of a run's corpus, or a file with a sentence a line. Raises InputError.

        Only a newline ends a line, as where runs write them; a carriage return before it and a byte order mark are
        left out.
        """
        text = path / TEXT if path.is_dir() else path
        try:
            lines = text.read_bytes().decode("utf-8-sig").split("\n")
            sids = np.load(path / SIDS).tolist() if (path / SIDS).is_file() else None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError(diagnostic("FICT646", path=text, reason=reason.lower())) from None
        lines = [line.removesuffix("\r") for line in (lines[:-1] if lines[-1] == "" else lines)]
        if sids is not None and len(sids) != len(lines):
            reason = f"it has {len(lines)} lines, and {SIDS} {len(sids)}"
            raise InputError(diagnostic("FICT646", path=text, reason=reason))
        return cls(path, lines, sids)

    def keys(self, by_number: bool) -> list[Hashable]:
        """What tells each line from others: the sentence that it was, or its text where it was none."""
        if not by_number or self.sids is None:
            return list(self.lines)
        return [sid if sid >= 0 else line for sid, line in zip(self.sids, self.lines, strict=True)]


@dataclass(frozen=True)
class Difference:
    """How corpus B differs from A, in lines: those of A alone, of B alone, and (before, after) of one sentence.

    `same` are the lines that both have; `moved` says whether these stand in another order.
    """

    lost: list[str]
    gained: list[str]
    edited: list[tuple[str, str]]
    same: int
    moved: bool
    words: tuple[int, int]  # of A and B, between white space


def compare(a: Corpus, b: Corpus) -> Difference:
    """Compare two corpora: sentence by sentence if they are of one run, else by their lines, each as often as it is."""
    by_number = a.sids is not None and b.sids is not None and real_path(a.path).parent == real_path(b.path).parent
    keys = a.keys(by_number), b.keys(by_number)
    only_a, only_b = _surplus(keys[0], keys[1]), _surplus(keys[1], keys[0])
    shared = [
        [place for place in range(len(own)) if place not in only]
        for own, only in zip(keys, (only_a, only_b), strict=True)
    ]
    text_of = {keys[1][place]: b.lines[place] for place in shared[1]}
    pairs = [(a.lines[place], text_of[keys[0][place]]) for place in shared[0]]
    edited = [(before, after) for before, after in pairs if before != after]
    moved = [keys[0][place] for place in shared[0]] != [keys[1][place] for place in shared[1]]
    lost, gained = ([one.lines[place] for place in sorted(only)] for one, only in ((a, only_a), (b, only_b)))
    return Difference(lost, gained, edited, len(pairs) - len(edited), moved, (_words(a.lines), _words(b.lines)))


def _surplus(own: Sequence[Hashable], other: Iterable[Hashable]) -> set[int]:
    """Places whose key the other has not, or less often: then the last ones."""
    left, found = Counter(other), set[int]()
    for place, key in enumerate(own):
        if left[key] > 0:
            left[key] -= 1
        else:
            found.add(place)
    return found


def _words(lines: Iterable[str]) -> int:
    return sum(len(line.split()) for line in lines)
