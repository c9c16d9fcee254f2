"""A made-up run small enough for statistics by hand: one paradigm of four pairs, chosen decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tests.support.results import Fabricated

SCHEMA = Fabricated(items=3).item_table().schema


def write_tiny(folder: Path, decisions: Mapping[tuple[str, int], Sequence[float | None]], **made: object) -> Path:
    """Write results in which cell (condition, seed) of model `m` has these score differences; None is an identical pair."""
    conditions = list(dict.fromkeys(condition for condition, _ in decisions))
    seeds = sorted({seed for _, seed in decisions if seed >= 0})
    card = {"name": "tiny", "seeds": seeds, "models": [{"name": "m"}], **made}
    Fabricated(models=["m"], seeds=seeds, conditions=conditions, items=3, card=card).write(folder)
    rows = [
        {
            "condition": condition,
            "model": "m" if seed >= 0 else "unigram",
            "seed": seed,
            "suite": "blimp",
            "paradigm": "distractor_agreement_relational_noun",
            "phenomenon": "agreement",
            "field": "morphology",
            "item": item,
            "good": f"good {item}",
            "bad": f"bad {item}",
            "score_good": None if delta is None else -10.0 + delta,
            "score_bad": None if delta is None else -10.0,
            "tokens_good": 2,
            "tokens_bad": 2,
            "unk_good": 0,
            "unk_bad": 0,
            "identical": delta is None,
        }
        for (condition, seed), deltas in decisions.items()
        for item, delta in enumerate(deltas)
    ]
    pq.write_table(pa.Table.from_pylist(rows, SCHEMA), folder / "items.parquet")
    return folder
