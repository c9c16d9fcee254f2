"""Encoded pairs and their scores to the one table that every measure reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from runner.score.scoring.convention import Normalise, normalised
from runner.score.scoring.encoded import EncodedPair
from runner.score.suites.suite import Suite

if TYPE_CHECKING:
    import pyarrow as pa

SIDES = ("good", "bad")


@dataclass(frozen=True, slots=True)
class Total:
    """A sentence's summed log-probability in nats over `scored` tokens, and the same tokens' under a unigram model."""

    logprob: float
    scored: int
    unigram: float | None = None


def pair_table(
    suite: Suite,
    pairs: Sequence[EncodedPair | None],
    totals: Sequence[tuple[Total, Total] | None],
    how: Normalise,
) -> pa.Table:
    """One row a pair, in the suite's order.

    `score` is `logprob` (of `scored` tokens, in nats; `unigram` is the same under word frequencies) normalised as
    `how` says. All are null where a pair is not applicable: both sentences are the same ids (`identical`), the
    suite marks no prefix, or no token is scored. Token and unknown-word counts are of the sentences themselves.
    """
    import pyarrow as pa

    columns: dict[str, pa.Array] = {}
    for name in ("paradigm", "phenomenon", "field", "item", "good", "bad"):
        kind = pa.int32() if name == "item" else pa.string()
        columns[name] = pa.array([getattr(pair, name) for pair in suite.items], kind)
    applicable = [both is not None and all(total.scored for total in both) for both in totals]
    found = [both if fits else None for both, fits in zip(totals, applicable, strict=True)]
    columns |= _scores(found, how)
    for name, side, value in _counts(pairs):
        columns[f"{name}_{side}"] = pa.array(value, pa.int32())
    columns["identical"] = pa.array([pair is not None and pair[0] == pair[1] for pair in pairs], pa.bool_())
    for name in ("logprob", "scored", "unigram"):
        kind = pa.int32() if name == "scored" else pa.float64()
        for place, side in enumerate(SIDES):
            values = [None if both is None else getattr(both[place], name) for both in found]
            columns[f"{name}_{side}"] = pa.array(values, kind)
    return pa.table(columns)


def _scores(found: Sequence[tuple[Total, Total] | None], how: Normalise) -> dict[str, pa.Array]:
    import pyarrow as pa

    def score(total: Total) -> float | None:
        return normalised(how, total.logprob, total.scored, total.unigram)

    return {
        f"score_{side}": pa.array([None if both is None else score(both[place]) for both in found], pa.float64())
        for place, side in enumerate(SIDES)
    }


def _counts(pairs: Sequence[EncodedPair | None]) -> Iterable[tuple[str, str, list[int]]]:
    for column, attribute in (("tokens", "tokens"), ("unk", "unknown")):
        for place, side in enumerate(SIDES):
            yield column, side, [0 if pair is None else getattr(pair[place], attribute) for pair in pairs]


def rescored(table: pa.Table, how: Normalise) -> pa.Table:
    """The same table, of pairs or of sentences, with scores normalised in another way; no model is needed.

    ValueError if `how` compares with unigrams and the table has none.
    """
    import pyarrow as pa

    for name in [name for name in table.column_names if name.startswith("score") and not name.startswith("scored")]:
        side = name.removeprefix("score")
        columns = [table.column(f"{part}{side}").to_pylist() for part in ("logprob", "scored", "unigram")]
        if how in ("slor", "normlp") and any(
            total is not None and unigram is None for total, _, unigram in zip(*columns, strict=True)
        ):
            raise ValueError("the scores have no unigram log-probabilities beside them")
        values = [None if row[0] is None else normalised(how, *row) for row in zip(*columns, strict=True)]
        table = table.set_column(table.column_names.index(name), name, pa.array(values, pa.float64()))
    return table


def as_unigram(table: pa.Table, how: Normalise) -> pa.Table:
    """The table that word frequencies alone would give: the unigram log-probabilities in the place of the model's.

    `slor` and `normlp` compare a model with this very baseline, so that here the plain sum stands in for them.
    """
    for name in [name for name in table.column_names if name.startswith("logprob")]:
        unigram = table.column(name.replace("logprob", "unigram"))
        table = table.set_column(table.column_names.index(name), name, unigram)
    return rescored(table, "sum" if how in ("slor", "normlp") else how)
