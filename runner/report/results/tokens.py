"""Log-probabilities of the tokens of some pairs, by cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from runner.report.results.columns import require_columns

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = ("condition", "model", "seed", "suite", "paradigm", "item", "side", "token", "logprob")


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of some pairs of a suite and their log-probabilities, for one condition and model.

    `pairs` has lists of (token, log-probability), by (paradigm, item) and side.
    """

    condition: str
    model: str
    suite: str
    pairs: dict[tuple[str, int], dict[str, list[tuple[str, float]]]] = field(default_factory=dict)


def tokens_of(table: pa.Table, path: Path) -> tuple[Tokens, ...]:
    """Return the tokens of the first seed for each condition, model and suite.

    Raises InputError (FICT891) for a missing column.
    """
    require_columns(table, COLUMNS, path)
    tokens_by_key: dict[tuple[str, str, str], Tokens] = {}
    seeds: dict[tuple[str, str, str], int] = {}
    for row in table.select(COLUMNS).to_pylist():
        key = row["condition"], row["model"], row["suite"]
        if seeds.setdefault(key, row["seed"]) == row["seed"]:
            pair = tokens_by_key.setdefault(key, Tokens(*key)).pairs.setdefault((row["paradigm"], row["item"]), {})
            pair.setdefault(row["side"], []).append((row["token"], row["logprob"]))
    return tuple(tokens_by_key.values())
