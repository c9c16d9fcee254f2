"""Encoded pairs and their scores to the one table that every measure reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from runner.score.encoded import Encoded
from runner.score.suite import Suite

if TYPE_CHECKING:
    import pyarrow as pa


def pair_table(
    suite: Suite,
    pairs: Sequence[tuple[Encoded, Encoded] | None],
    scores: Sequence[tuple[float | None, float | None] | None],
) -> pa.Table:
    """One row a pair, in the suite's order.

    Scores are null where a pair is not applicable: both sentences are the same ids (`identical`), the suite marks
    no prefix, or no token is scored. Token and unknown-word counts are of the sentences themselves.
    """
    import pyarrow as pa

    schema = pa.schema(
        [(name, pa.string()) for name in ("paradigm", "phenomenon", "field")]
        + [("item", pa.int32()), ("good", pa.string()), ("bad", pa.string())]
        + [("score_good", pa.float64()), ("score_bad", pa.float64())]
        + [(name, pa.int32()) for name in ("tokens_good", "tokens_bad", "unk_good", "unk_bad")]
        + [("identical", pa.bool_())]
    )
    rows = []
    for pair, encoded, score in zip(suite.items, pairs, scores, strict=True):
        row: dict[str, object] = {
            "paradigm": pair.paradigm,
            "phenomenon": pair.phenomenon,
            "field": pair.field,
            "item": pair.item,
            "good": pair.good,
            "bad": pair.bad,
            "identical": encoded is not None and encoded[0] == encoded[1],
        }
        for place, side in enumerate(("good", "bad")):
            sentence = None if encoded is None else encoded[place]
            row[f"tokens_{side}"] = 0 if sentence is None else sentence.tokens
            row[f"unk_{side}"] = 0 if sentence is None else sentence.unknown
            applicable = score is not None and None not in score and not row["identical"]
            row[f"score_{side}"] = score[place] if score is not None and applicable else None
        rows.append(row)
    return pa.Table.from_pylist(rows, schema=schema)
