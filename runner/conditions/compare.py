"""Compare two corpora line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tokenize import TokenError

import numpy as np

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.readers import real_path

TEXT, SIDS = "text.txt", "sids.npy"


@dataclass(frozen=True)
class Corpus:
    """A training corpus: its lines and, if known, their sentence ids in the base corpus (negative if injected)."""

    path: Path
    lines: list[str]
    sids: list[int] | None

    @classmethod
    def read(cls, path: Path) -> Corpus:
        """Read the folder of a run's corpus, or a file with one sentence per line.

        Only a newline ends a line, as in the files of runs. A carriage return before a newline and a byte order mark
        are dropped. Raises InputError (FICT646) if the corpus cannot be read.
        """
        text_path = path / TEXT if path.is_dir() else path
        try:
            lines = text_path.read_bytes().decode("utf-8-sig").split("\n")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError(diagnostic("FICT646", path=text_path, reason=reason.lower())) from None
        sids = _read_sids(path / SIDS) if (path / SIDS).is_file() else None
        lines = [line.removesuffix("\r") for line in (lines[:-1] if lines[-1] == "" else lines)]
        if sids is not None and len(sids) != len(lines):
            reason = f"it has {len(lines)} lines, but {SIDS} has {len(sids)} entries"
            raise InputError(diagnostic("FICT646", path=text_path, reason=reason))
        return cls(path, lines, sids)

    def keys(self, by_sid: bool) -> list[Hashable]:
        """Return a key for each line: with `by_sid`, its sentence id if it has one, otherwise its text.

        A rewritten sentence that follows its original has the same id, so a key also has the position among the lines
        of that id.
        """
        if not by_sid or self.sids is None:
            return list(self.lines)
        seen = Counter[int]()
        keys: list[Hashable] = []
        for sid, line in zip(self.sids, self.lines, strict=True):
            keys.append(line if sid < 0 else (sid, seen[sid]))
            seen[sid] += 1
        return keys


@dataclass(frozen=True)
class Difference:
    """How corpus B differs from A: lines only in A, lines only in B, and (before, after) of edited sentences.

    `unchanged` is the number of unchanged lines. `reordered` states whether shared lines are in a different order.
    """

    lost: list[str]
    gained: list[str]
    edited: list[tuple[str, str]]
    unchanged: int
    reordered: bool
    words: tuple[int, int]  # of A and B, separated by white space


def _read_sids(path: Path) -> list[int]:
    """Read the sentence ids of a corpus. Raises InputError (FICT646) if the file is damaged."""
    try:
        with path.open("rb") as file:
            sids = np.lib.format.read_array(file, allow_pickle=False)
    except (OSError, ValueError, EOFError, SyntaxError, TokenError) as error:
        raise InputError(diagnostic("FICT646", path=path, reason="it is not a NumPy array")) from error
    if sids.ndim != 1 or sids.dtype.kind != "i":
        raise InputError(diagnostic("FICT646", path=path, reason="it is not an array of sentence numbers"))
    return [int(sid) for sid in sids]


def compare(a: Corpus, b: Corpus) -> Difference:
    """Compare two corpora by sentence ids if they belong to one run, otherwise as multisets of lines."""
    by_sid = a.sids is not None and b.sids is not None and _corpora_folder(a) == _corpora_folder(b)
    keys = a.keys(by_sid), b.keys(by_sid)
    only_a, only_b = _surplus(keys[0], keys[1]), _surplus(keys[1], keys[0])
    shared = [
        [index for index in range(len(corpus_keys)) if index not in surplus_indices]
        for corpus_keys, surplus_indices in zip(keys, (only_a, only_b), strict=True)
    ]
    b_line_of = {keys[1][index]: b.lines[index] for index in shared[1]}
    pairs = [(a.lines[index], b_line_of[keys[0][index]]) for index in shared[0]]
    edited = [(old_line, new_line) for old_line, new_line in pairs if old_line != new_line]
    reordered = [keys[0][index] for index in shared[0]] != [keys[1][index] for index in shared[1]]
    lost, gained = (
        [corpus.lines[index] for index in sorted(surplus_indices)]
        for corpus, surplus_indices in ((a, only_a), (b, only_b))
    )
    return Difference(
        lost, gained, edited, len(pairs) - len(edited), reordered, (_word_count(a.lines), _word_count(b.lines))
    )


def _corpora_folder(corpus: Corpus) -> Path:
    """Return the `corpora` folder of the run, which may be several levels up, or the parent folder if there is none."""
    path = real_path(corpus.path)
    return next((folder for folder in path.parents if folder.name == "corpora"), path.parent)


def _surplus(keys: Sequence[Hashable], other_keys: Iterable[Hashable]) -> set[int]:
    """Return the indices of the multiset difference. Among equal keys, the last occurrences are surplus."""
    unmatched, surplus = Counter(other_keys), set[int]()
    for index, key in enumerate(keys):
        if unmatched[key] > 0:
            unmatched[key] -= 1
        else:
            surplus.add(index)
    return surplus


def _word_count(lines: Iterable[str]) -> int:
    return sum(len(line.split()) for line in lines)
