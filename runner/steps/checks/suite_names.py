"""The names that `targets` and `paradigms` may use for a suite of minimal pairs: its paradigms and phenomena."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from runner.sample.paradigms import PARADIGMS
from runner.score.suites.formats import first_pairs, read_pairs


@dataclass(frozen=True, slots=True)
class Names:
    """Paradigms, and phenomena as `targets` writes them, without spaces."""

    paradigms: frozenset[str]
    phenomena: frozenset[str]

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> Names:
        """Collect the names in pairs of a paradigm and its phenomenon, which may be empty."""
        distinct = set(pairs)
        phenomena = ("".join(phenomenon.split()) for _, phenomenon in distinct)
        return cls(frozenset(paradigm for paradigm, _ in distinct), frozenset(filter(None, phenomena)))

    def __contains__(self, name: str) -> bool:
        return name in self.paradigms or name in self.phenomena


@dataclass
class PairSuite:
    """Entry `index` of `[[evaluate]]`, a suite of minimal pairs, with the paradigms that it selects.

    `path` is None for the embedded sample. The properties raise InputError (FICT811, 812) if the path is not a suite.
    """

    index: int
    path: Path | None
    selected: tuple[str, ...] = ()

    def has(self, name: str) -> bool:
        """Return whether a paradigm or phenomenon has this name.

        A BLiMP folder has a file for each paradigm, so further lines are read only if the name is unknown.
        """
        return name in self._names_of_first_pairs or name in self.names

    def evaluates(self, name: str) -> bool:
        """Return whether the manifest scores this paradigm or, at least in part, this phenomenon."""
        return self.has(name) and (
            not self.selected or name in self.selected or name not in self._names_of_first_pairs.paradigms
        )

    @cached_property
    def names(self) -> Names:
        """The names of all pairs."""
        if self.path is None:
            return Names.of((paradigm.uid, paradigm.term) for paradigm in PARADIGMS)
        return Names.of((pair.paradigm, pair.phenomenon) for pair in read_pairs(self.path))

    @cached_property
    def _names_of_first_pairs(self) -> Names:
        if self.path is None:
            return self.names
        return Names.of((pair.paradigm, pair.phenomenon) for pair in first_pairs(self.path))
