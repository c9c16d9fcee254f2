"""The names that `targets` and `paradigms` may use for a suite of minimal pairs: its paradigms and phenomena."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from runner.sample.paradigms import PARADIGMS
from runner.score.suites.formats import first_pairs, read_pairs


@dataclass(frozen=True, slots=True)
class SuiteNames:
    """The names of paradigms, and those of phenomena with their spaces removed, as `targets` writes them."""

    paradigms: frozenset[str]
    phenomena: frozenset[str]

    @classmethod
    def of(cls, names: Iterable[tuple[str, str]]) -> SuiteNames:
        """Collect the names from (paradigm, phenomenon) tuples. A phenomenon may be empty."""
        distinct_names = set(names)
        phenomena = ("".join(phenomenon.split()) for _, phenomenon in distinct_names)
        return cls(frozenset(paradigm for paradigm, _ in distinct_names), frozenset(filter(None, phenomena)))

    def __contains__(self, name: str) -> bool:
        return name in self.paradigms or name in self.phenomena


@dataclass
class PairSuite:
    """Entry `index` of `[[evaluate]]`, a suite of minimal pairs, with the paradigms that it selects (all if empty).

    `path` is None for the embedded sample. The methods and properties raise InputError (FICT811, 812) if the path is
    not a suite.
    """

    index: int
    path: Path | None
    selected_paradigms: tuple[str, ...] = ()

    def check(self) -> None:
        """Read all pairs of a file, or the first pair of each file in a folder, to find mistakes in them."""
        _ = self._names_of_first_pairs

    def has(self, name: str) -> bool:
        """Return whether a paradigm or phenomenon has this name.

        A BLiMP folder has a file for each paradigm, so other lines are read only if no first line has the name.
        """
        return name in self._names_of_first_pairs or name in self.names

    def evaluates(self, name: str) -> bool:
        """Return whether the suite has a phenomenon or a selected paradigm of this name.

        All phenomena of the suite count as evaluated. So does a paradigm that none of the first pairs belongs to.
        """
        return self.has(name) and (
            not self.selected_paradigms
            or name in self.selected_paradigms
            or name not in self._names_of_first_pairs.paradigms
        )

    @cached_property
    def names(self) -> SuiteNames:
        """The paradigms and phenomena of all pairs."""
        if self.path is None:
            return SuiteNames.of((paradigm.uid, paradigm.term) for paradigm in PARADIGMS)
        return SuiteNames.of((pair.paradigm, pair.phenomenon) for pair in read_pairs(self.path))

    @cached_property
    def _names_of_first_pairs(self) -> SuiteNames:
        if self.path is None:
            return self.names
        return SuiteNames.of((pair.paradigm, pair.phenomenon) for pair in first_pairs(self.path))
