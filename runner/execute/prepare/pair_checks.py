"""Count minimal pairs whose sentences a tokenizer cannot tell apart, and pairs with unknown words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from runner.counted import counted
from runner.execute.records.cache import Cache
from runner.manifest.model import UNKNOWN_WORDS_REMEDY
from runner.steps.checks.warning import RunWarning
from runner.steps.plan import Plan
from runner.steps.variants import FULL


@dataclass(frozen=True, slots=True)
class PairCheck:
    """Counts of a paradigm: its pairs, those with unknown words, those whose sides differ in the number of unknown
    words, and those whose sides have the same tokens.
    """

    suite: str
    paradigm: str
    pairs: int
    unknown: int
    unequal_unknown: int
    identical: int

    @property
    def problem_share(self) -> float:
        """A lower bound on the share of pairs with a problem: the larger of the shares of the two problems."""
        return max(self.unknown, self.identical) / self.pairs


def pair_checks(plan: Plan, cache: Cache) -> list[PairCheck]:
    """Return the counts of all paradigms of minimal pairs that have a problem, worst first.

    The counts depend on the tokenizer only, so they are read from the unigram scores of the condition `full`. A suite
    is omitted if these are not in the cache.
    """
    tables = {
        suite: cache.folder(step) / "scores.parquet"
        for (corpus, suite), step in plan.unigrams.items()
        if plan.variants[corpus].condition == FULL and cache.has(step)
    }
    checks = [check for suite, path in tables.items() for check in count_pairs(suite, pq.read_table(path))]
    affected = [check for check in checks if check.unknown or check.identical]
    return sorted(
        affected,
        key=lambda check: (-check.problem_share, -check.unequal_unknown / check.pairs, check.suite, check.paradigm),
    )


def counted_pairs(plan: Plan, suite: str, table: pa.Table) -> pa.Table:
    """Return the scores of the pairs that count: all, or with `known-words` those without unknown words."""
    if not any(entry.name == suite and entry.known_words for entry in plan.resolved.suites):
        return table
    unknown = np.asarray(table.column("unk_good")) + np.asarray(table.column("unk_bad"))
    return table.filter(pa.array(unknown == 0))


def count_pairs(suite: str, table: pa.Table) -> Iterable[PairCheck]:
    """Yield the counts of each paradigm in a table of scores with `unk_good`, `unk_bad` and `identical`."""
    paradigms = np.asarray(table.column("paradigm").to_pylist(), dtype=str)
    unk_good, unk_bad = (table.column(name).to_numpy(zero_copy_only=False) for name in ("unk_good", "unk_bad"))
    identical = np.asarray(table.column("identical").to_pylist(), dtype=bool)
    for name in dict.fromkeys(paradigms.tolist()):
        rows = paradigms == name
        counts = (rows, rows & (unk_good + unk_bad > 0), rows & (unk_good != unk_bad), rows & identical)
        yield PairCheck(suite, name, *(int(np.count_nonzero(selected)) for selected in counts))


def pair_warnings(plan: Plan, all_checks: Sequence[PairCheck]) -> list[RunWarning]:
    """Return a warning for each suite, which names its worst paradigm. The checks are in the order of `pair_checks`."""
    known_words = {suite.name for suite in plan.resolved.suites if suite.known_words}
    by_suite: dict[str, list[PairCheck]] = {}
    for check in all_checks:
        by_suite.setdefault(check.suite, []).append(check)
    return [
        RunWarning("pairs", suite, _warning_text(checks, known_words=suite in known_words))
        for suite, checks in by_suite.items()
    ]


def _warning_text(checks: Sequence[PairCheck], *, known_words: bool) -> str:
    def total(name: str) -> int:
        return sum(getattr(check, name) for check in checks)

    worst = checks[0]
    mostly_unknown = sum(2 * check.unknown > check.pairs for check in checks)
    remedy = (
        f"; {counted(mostly_unknown, 'paradigm')} with such words in most pairs: {UNKNOWN_WORDS_REMEDY}"
        if mostly_unknown
        else ""
    )
    return (
        f"{counted(total('unknown'), 'pair contains', 'pairs contain')} words that the tokenizer does not know"
        f" ({total('unequal_unknown'):,} of them with different numbers of such words in the two sentences), and"
        f" {counted(total('identical'), 'pair has', 'pairs have')} the same tokens in both sentences; the highest share"
        f" is in {worst.paradigm} ({max(worst.unknown, worst.identical):,} of {worst.pairs:,})"
        f"{'; pairs with unknown words do not count' if known_words else remedy}"
    )
