"""Compare what filters match in gold trees and in a parser's trees of the same sentences."""

from __future__ import annotations

import csv
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fictdsl.terminal_text import cut
from runner.corpus.sentence_texts import normalized, sentence_texts, unit_texts
from runner.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from fictdsl.compiler import CompiledFilter
    from runner.corpus.store import Store

# `fictc audit parser --format csv` of the library on EWT test, as docs/parser-noise.md says
LIBRARY_LOSSES = Path(__file__).with_name("parser_noise.csv")
MAX_LOSS = 0.2  # share of the sentences that a filter matches in gold trees, above which a plan warns
_MAX_SHOWN = 60  # columns of a sentence in a message
MIN_SENTENCES = 5  # that a filter matches in gold trees; a share of fewer says little


@dataclass(frozen=True)
class SharedSentences:
    """The sentences that both stores have, of equal normalized text: those of one text are paired in their order.

    `gold_index` and `parsed_index` have, by `sid`, the index of a sentence among the shared ones, or -1. A line that
    the parser split into several sentences is one. `alone` has the numbers of sentences without a partner.
    """

    gold: Store
    parsed: Store
    gold_index: np.ndarray
    parsed_index: np.ndarray
    count: int
    alone: tuple[int, int]

    @classmethod
    def of(cls, gold: Store, parsed: Store) -> SharedSentences:
        """Raises InputError (FICT870) if no sentence of `gold` is in `parsed`."""
        import numpy as np

        waiting: dict[str, deque[range]] = {}
        for text, sids in unit_texts(parsed):
            if sids:
                waiting.setdefault(normalized(text), deque()).append(sids)
        gold_index, parsed_index = (np.full(store.info.sentences, -1, np.int64) for store in (gold, parsed))
        count, without_partner = 0, 0
        for text, sids in unit_texts(gold):
            partners = waiting.get(normalized(text))
            if not (sids and partners):
                without_partner += bool(sids)
                continue
            partner = partners.popleft()
            gold_index[sids.start : sids.stop], parsed_index[partner.start : partner.stop] = count, count
            count += 1
        if not count:
            firsts = (cut(next(iter(sentence_texts(store)), ""), _MAX_SHOWN) for store in (gold, parsed))
            hint = "the first begins with `{}`, the second with `{}`".format(*firsts)
            raise InputError.of("FICT870", gold=gold.path, parsed=parsed.path, hint=hint)
        return cls(gold, parsed, gold_index, parsed_index, count, (without_partner, sum(map(len, waiting.values()))))


@dataclass(frozen=True)
class ParserNoise:
    """Numbers of shared sentences that a filter matches: in gold and in parsed trees, in both, and in only one.

    `lost_sids` are of the gold store and match only there, `added_sids` of the parsed store.
    """

    filter: CompiledFilter
    gold: int
    parsed: int
    both: int
    lost: int
    added: int
    lost_sids: np.ndarray
    added_sids: np.ndarray

    @property
    def lost_share(self) -> float | None:
        return self.lost / self.gold if self.gold else None


def parser_noise(shared: SharedSentences, compiled: CompiledFilter) -> ParserNoise:
    import numpy as np

    from runner.corpus.matches import matching_sids

    gold_sids, parsed_sids = (matching_sids(store, [compiled]) for store in (shared.gold, shared.parsed))
    gold_rows, parsed_rows = shared.gold_index[gold_sids], shared.parsed_index[parsed_sids]
    gold, parsed = (set(rows[rows >= 0].tolist()) for rows in (gold_rows, parsed_rows))
    lost, added = gold - parsed, parsed - gold
    counts = len(gold), len(parsed), len(gold & parsed), len(lost), len(added)
    lost_sids = gold_sids[np.isin(gold_rows, list(lost))]
    return ParserNoise(compiled, *counts, lost_sids, parsed_sids[np.isin(parsed_rows, list(added))])


def large_losses() -> dict[str, str]:
    """Return `LOST of GOLD` sentences for each filter of the library that loses more than `MAX_LOSS`, by its key.

    A filter that was changed since has another key.
    """
    rows = list(csv.DictReader(LIBRARY_LOSSES.read_text(encoding="utf-8").splitlines()))
    return {row["key"]: f"{int(row['lost']):,} of {int(row['gold']):,}" for row in rows if loses_much(row)}


def loses_much(row: Mapping[str, str]) -> bool:
    return int(row["gold"]) >= MIN_SENTENCES and int(row["lost"]) > MAX_LOSS * int(row["gold"])
