"""Suites of minimal pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import nearest
from runner.errors import InputError
from runner.score.pair_formats import read_pairs
from runner.score.suite_files import Pair


@dataclass(frozen=True)
class Suite:
    """Minimal pairs, grouped by paradigm."""

    name: str
    items: list[Pair]

    @property
    def paradigms(self) -> list[str]:
        """The names of the paradigms, in the order of first appearance."""
        return list(dict.fromkeys(pair.paradigm for pair in self.items))


def load_suite(
    path: Path, name: str | None = None, *, limit: int | None = None, paradigms: Sequence[str] | None = None
) -> Suite:
    """Read minimal pairs in one of `runner.score.pair_formats`: folders of BLiMP or WinoBias, .jsonl or .csv files.

    JSON lines have `sentence_good` and `sentence_bad` (or `good` and `bad`), and optionally `UID` (or `paradigm`),
    `linguistics_term` (or `phenomenon`), `field`, `pairID` (or `item`) and BLiMP's prefix fields. A CSV file has a
    header with the columns good and bad, and optionally paradigm, phenomenon, field and item. The paradigm defaults to
    the name of the file. `limit` keeps the first pairs of each paradigm; `paradigms` selects paradigms. Raises
    InputError (FICT811, 812, 817).
    """
    pairs = read_pairs(path)
    check_paradigms(path, paradigms or (), dict.fromkeys(pair.paradigm for pair in pairs))
    pairs_by_paradigm: dict[str, list[Pair]] = {}
    for pair in pairs:
        if not paradigms or pair.paradigm in paradigms:
            pairs_by_paradigm.setdefault(pair.paradigm, []).append(pair)
    selected = [pair for group in pairs_by_paradigm.values() for pair in _uniquely_numbered(group)[:limit]]
    return Suite(name or path.stem, selected)


def check_paradigms(path: Path, paradigms: Sequence[str], known: Iterable[str]) -> None:
    """Raise InputError (FICT817) if a suite lacks one of `paradigms`. `known` are the paradigms of the suite."""
    names = list(known)
    for paradigm in paradigms:
        if paradigm not in names:
            suggestion = nearest(paradigm, names)
            hint = f"the nearest is `{suggestion}`" if suggestion else None
            raise InputError(diagnostic("FICT817", path=path, name=paradigm, hint=hint))


def check_no_paradigms(path: Path, paradigms: Sequence[str]) -> None:
    """Raise InputError (FICT817) if paradigms of a suite without paradigms are selected."""
    if paradigms:
        raise InputError(diagnostic("FICT817", path=path, name=paradigms[0], hint="it has no paradigms"))


def _uniquely_numbered(pairs: list[Pair]) -> list[Pair]:
    """Return the pairs with their own item numbers if these are unique, otherwise numbered from 0."""
    numbers = {pair.item for pair in pairs}
    if len(numbers) == len(pairs) and min(numbers) >= 0:
        return pairs
    return [replace(pair, item=index) for index, pair in enumerate(pairs)]
