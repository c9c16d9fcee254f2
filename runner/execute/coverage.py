"""Compute the share of a suite's items that each filter matches, from a store of its parsed sentences."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from runner.errors import InputError

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.corpus.store import Store
    from runner.score.suite_files import Pair, Suite


SIDES = ("good", "bad", "either", "both")


@dataclass(frozen=True, slots=True)
class Share:
    filter: str
    paradigm: str
    targets: tuple[str, ...]
    items: int
    matched: int
    unparsed: int
    which: tuple[int, ...] = ()  # the indices of matched items among the parsed ones

    @property
    def share(self) -> float | None:
        return self.matched / self.items if self.items else None


def sentences(suite: Suite, side: str) -> list[str]:
    return list(dict.fromkeys(text for pair in suite.items for text in _texts(pair, side)))


def shares(suite: Suite, store: Store, filters: Sequence[CompiledFilter], side: str) -> list[Share]:
    """A share per filter and paradigm. One of the sentences into which the parser split a text must match (FICT818)."""
    from runner.corpus.matches import matching_sids

    sids_of_texts = sids_by_text(store)
    parsed = {text: sids_of_texts[key] for text in sentences(suite, side) if (key := normalized(text)) in sids_of_texts}
    if not parsed:
        raise InputError.of("FICT818", suite=suite.name, path=store.path)
    result = []
    for compiled in filters:
        matched_sids = set(matching_sids(store, [compiled]).tolist())
        matched = {text: not matched_sids.isdisjoint(sids) for text, sids in parsed.items()}
        for paradigm in suite.paradigms:
            pairs = [pair for pair in suite.items if pair.paradigm == paradigm]
            items = [[matched.get(text) for text in _texts(pair, side)] for pair in pairs]
            parsed_items = [item for item in items if None not in item]
            which = tuple(index for index, item in enumerate(parsed_items) if (all if side == "both" else any)(item))
            counts = len(parsed_items), len(which), len(items) - len(parsed_items)
            names = {paradigm, *("".join(pair.phenomenon.split()) for pair in pairs)}
            targets = tuple(target for target in compiled.metadata.targets if target.rpartition("/")[2] in names)
            result.append(Share(compiled.name, paradigm, targets, *counts, which))
    return result


def _texts(pair: Pair, side: str) -> tuple[str, ...]:
    return {"good": (pair.good,), "bad": (pair.bad,)}.get(side, (pair.good, pair.bad))


def sids_by_text(store: Store) -> dict[str, set[int]]:
    from runner.corpus.sentence_texts import unit_texts

    sids_of_texts: dict[str, set[int]] = {}
    for text, sids in unit_texts(store):
        sids_of_texts.setdefault(normalized(text), set()).update(sids)
    return {text: sids for text, sids in sids_of_texts.items() if sids}


def normalized(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def count_targets(shares: Iterable[Share]) -> dict[str, tuple[int, int]]:
    sums: dict[str, tuple[int, int]] = {}
    for share in shares:
        if share.targets:
            matched, items = sums.get(share.filter, (0, 0))
            sums[share.filter] = matched + share.matched, items + share.items
    return sums
