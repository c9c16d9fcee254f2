"""The table of scored pairs, from which all measures are computed."""

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
    """The log-probability of a sentence in nats, summed over `scored` tokens, and under a unigram model."""

    logprob: float
    scored: int
    unigram: float | None = None


def pair_table(
    suite: Suite,
    pairs: Sequence[EncodedPair | None],
    totals: Sequence[tuple[Total, Total] | None],
    normalise: Normalise,
) -> pa.Table:
    """Return one row per pair, in the suite's order.

    `logprob` is the log-probability of `scored` tokens in nats, `unigram` is their log-probability under a unigram
    model, and `score` is `logprob` normalised by `normalise`. All are null if a pair is not applicable: both sentences
    have the same ids (`identical`), the suite marks no prefix, or no token is scored. `tokens` and `unk` count all
    tokens and the unknown ones, without the context.
    """
    import pyarrow as pa

    columns: dict[str, pa.Array] = {}
    for name in ("paradigm", "phenomenon", "field", "item", "good", "bad"):
        type_ = pa.int32() if name == "item" else pa.string()
        columns[name] = pa.array([getattr(pair, name) for pair in suite.items], type_)
    applicable = [pair_totals is not None and all(total.scored for total in pair_totals) for pair_totals in totals]
    applicable_totals = [
        pair_totals if is_applicable else None for pair_totals, is_applicable in zip(totals, applicable, strict=True)
    ]
    columns |= _scores(applicable_totals, normalise)
    for name, side, value in _counts(pairs):
        columns[f"{name}_{side}"] = pa.array(value, pa.int32())
    columns["identical"] = pa.array([pair is not None and pair[0] == pair[1] for pair in pairs], pa.bool_())
    for name in ("logprob", "scored", "unigram"):
        type_ = pa.int32() if name == "scored" else pa.float64()
        for index, side in enumerate(SIDES):
            values = [
                None if pair_totals is None else getattr(pair_totals[index], name) for pair_totals in applicable_totals
            ]
            columns[f"{name}_{side}"] = pa.array(values, type_)
    return pa.table(columns)


def _scores(totals: Sequence[tuple[Total, Total] | None], normalise: Normalise) -> dict[str, pa.Array]:
    import pyarrow as pa

    def score(total: Total) -> float | None:
        return normalised(normalise, total.logprob, total.scored, total.unigram)

    return {
        f"score_{side}": pa.array(
            [None if pair_totals is None else score(pair_totals[index]) for pair_totals in totals], pa.float64()
        )
        for index, side in enumerate(SIDES)
    }


def _counts(pairs: Sequence[EncodedPair | None]) -> Iterable[tuple[str, str, list[int]]]:
    for column, attribute in (("tokens", "token_count"), ("unk", "unknown_count")):
        for index, side in enumerate(SIDES):
            yield column, side, [0 if pair is None else getattr(pair[index], attribute) for pair in pairs]


def rescored(table: pa.Table, normalise: Normalise) -> pa.Table:
    """Recompute the scores of a table of pairs or sentences with another normalisation, without a model.

    Raises ValueError if `normalise` needs unigram log-probabilities that the table lacks.
    """
    import pyarrow as pa

    for name in [name for name in table.column_names if name.startswith("score") and not name.startswith("scored")]:
        side = name.removeprefix("score")
        columns = [table.column(f"{quantity}{side}").to_pylist() for quantity in ("logprob", "scored", "unigram")]
        if normalise in ("slor", "normlp") and any(
            total is not None and unigram is None for total, _, unigram in zip(*columns, strict=True)
        ):
            raise ValueError("the scores have no unigram log-probabilities")
        values = [None if row[0] is None else normalised(normalise, *row) for row in zip(*columns, strict=True)]
        table = table.set_column(table.column_names.index(name), name, pa.array(values, pa.float64()))
    return table


def as_unigram(table: pa.Table, normalise: Normalise) -> pa.Table:
    """Return the table of the unigram baseline: unigram log-probabilities replace those of the model.

    `slor` and `normlp` compare a model with this baseline, so `sum` replaces them.
    """
    for name in [name for name in table.column_names if name.startswith("logprob")]:
        unigram = table.column(name.replace("logprob", "unigram"))
        table = table.set_column(table.column_names.index(name), name, unigram)
    return rescored(table, "sum" if normalise in ("slor", "normlp") else normalise)
