"""A suite, a store of its parsed sentences and filters, to the share of items that each filter matches."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.corpus.store.opening import Store
    from runner.score.suites.suite import Pair, Suite

SIDES = ("good", "bad", "either", "both")
COVERAGE = "coverage.json"


@dataclass(frozen=True, slots=True)
class Share:
    """How many items of a paradigm a filter matches, of those whose sentences are parsed; `target`: it says it would.

    `unparsed` items are left out of `items`.
    """

    filter: str
    paradigm: str
    target: bool
    items: int
    matched: int
    unparsed: int
    which: tuple[int, ...] = ()  # of the items with a tree, the matched ones by their places

    @property
    def share(self) -> float | None:
        """The share, None where no item is parsed."""
        return self.matched / self.items if self.items else None


def sentences(suite: Suite, side: str) -> list[str]:
    """The sentences whose parses a side needs, each once, in the order of the suite."""
    return list(dict.fromkeys(text for pair in suite.items for text in _texts(pair, side)))


def shares(suite: Suite, store: Store, filters: Sequence[CompiledFilter], side: str) -> list[Share]:
    """One share for each filter and paradigm. InputError if the store has no sentence of the suite at all.

    An item is matched if its good (or bad) sentence is; on the side `either` if one of the two is, on `both` if both
    are. A sentence is looked up by its text, white space aside; one that was split in parsing is matched if any of
    its parts is.
    """
    from runner.corpus.query.matches import matching_sids

    numbers = _numbers(store)
    parsed = {text: numbers[key] for text in sentences(suite, side) if (key := _key(text)) in numbers}
    if not parsed:
        raise InputError(diagnostic("FICT818", suite=suite.name, path=store.path))
    found = []
    for compiled in filters:
        hits = set(matching_sids(store, [compiled]).tolist())
        matched = {text: not hits.isdisjoint(sids) for text, sids in parsed.items()}
        targets = {target.rpartition("/")[2] for target in compiled.metadata.targets}
        for paradigm in suite.paradigms:
            items = [[matched.get(t) for t in _texts(p, side)] for p in suite.items if p.paradigm == paradigm]
            known = [item for item in items if None not in item]
            which = tuple(n for n, item in enumerate(known) if (all if side == "both" else any)(item))
            counts = len(known), len(which), len(items) - len(known)
            found.append(Share(compiled.name, paradigm, paradigm in targets, *counts, which))
    return found


def _texts(pair: Pair, side: str) -> tuple[str, ...]:
    return {"good": (pair.good,), "bad": (pair.bad,)}.get(side, (pair.good, pair.bad))


def _numbers(store: Store) -> dict[str, set[int]]:
    """The sentences of the store that each text became."""
    from runner.corpus.sentences.export import unit_texts

    found: dict[str, set[int]] = {}
    for text, sids in unit_texts(store):
        found.setdefault(_key(text), set()).update(sids)
    return {text: sids for text, sids in found.items() if sids}


def _key(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def of_targets(found: Iterable[Share]) -> dict[str, tuple[int, int]]:
    """For each filter the items of its own targets: how many it matches, how many there are."""
    sums: dict[str, tuple[int, int]] = {}
    for share in found:
        if share.target:
            matched, items = sums.get(share.filter, (0, 0))
            sums[share.filter] = matched + share.matched, items + share.items
    return sums
