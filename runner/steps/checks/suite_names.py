"""The names that `targets` and `paradigms` may use for a suite of minimal pairs: its paradigms and phenomena."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from runner.sample.paradigms import PARADIGMS
from runner.score.pair_formats import first_pairs, read_pairs
from runner.steps.suites import Suite


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


@dataclass(frozen=True, slots=True)
class PairSuite:
    """Entry `index` of `[[evaluate]]`, a suite of minimal pairs, with the paradigms that it selects (all if empty).

    `names` are those of all pairs, or those of the first pairs if they include every name that is looked up.
    """

    index: int
    selected_paradigms: tuple[str, ...]
    names_of_first_pairs: SuiteNames
    names: SuiteNames

    @classmethod
    def read(cls, index: int, suite: Suite, targets: Iterable[str]) -> PairSuite:
        """Read the names of a suite in which its selected paradigms and the names of targets are looked up.

        A BLiMP folder has a file for each paradigm, so other lines are read only if a name is in no first line. Raises
        InputError (FICT811, 812) if the path is not a suite or if a pair that is read is invalid.
        """
        if suite.path is None:  # the embedded sample
            names = SuiteNames.of((paradigm.uid, paradigm.term) for paradigm in PARADIGMS)
            return cls(index, suite.paradigms, names, names)
        first_names = SuiteNames.of((pair.paradigm, pair.phenomenon) for pair in first_pairs(suite.path))
        if all(name in first_names for name in (*suite.paradigms, *targets)):
            return cls(index, suite.paradigms, first_names, first_names)
        names = SuiteNames.of((pair.paradigm, pair.phenomenon) for pair in read_pairs(suite.path))
        return cls(index, suite.paradigms, first_names, names)

    def evaluates(self, name: str) -> bool:
        """Return whether the suite has a phenomenon or a selected paradigm of this name.

        All phenomena of the suite count as evaluated. So does a paradigm that none of the first pairs belongs to.
        """
        return name in self.names and (
            not self.selected_paradigms
            or name in self.selected_paradigms
            or name not in self.names_of_first_pairs.paradigms
        )
