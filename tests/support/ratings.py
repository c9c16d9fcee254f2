"""Made-up ratings and scores for tests of the report."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

KINDS = {"condition": pa.string(), "model": pa.string(), "seed": pa.int32(), "suite": pa.string()}
RATED = {"item": pa.int32(), "sentence": pa.string(), "rating": pa.float64()}
SCORES = {"score": pa.float64(), "score_unigram": pa.float64()}
GYM = {"phenomenon": pa.string(), "paradigm": pa.string(), "prediction": pa.string()}


def write_ratings(
    folder: Path, ratings: Sequence[float | None], scores: Mapping[tuple[str, str, int], Sequence[float | None]]
) -> None:
    """Write the suite `rated` with the scores of its sentences in each cell; unigram scores only share their order."""
    rows = [
        {
            **dict(zip(("condition", "model", "seed"), cell, strict=True)),
            "suite": "rated",
            "item": item,
            "sentence": f"Sentence {item}.",
            "rating": rating,
            "score": score,
            "score_unigram": -float(item),
        }
        for cell, values in scores.items()
        for item, (rating, score) in enumerate(zip(ratings, values, strict=True))
    ]
    table = pa.Table.from_pylist(rows, pa.schema(KINDS | RATED | SCORES))
    pq.write_table(table, folder / "ratings.parquet", write_page_checksum=True)
    _told(folder, {"rated": "sentences"})


def write_syntaxgym(folder: Path, holds: Mapping[tuple[str, str, int], Sequence[bool | None]]) -> None:
    """Write one prediction of the suite `gym`, with whether it holds for each item in each cell."""
    rows = [
        {
            **dict(zip(("condition", "model", "seed"), cell, strict=True)),
            "suite": "gym",
            "phenomenon": "number",
            "paradigm": "number",
            "prediction": "(2;%match%) < (2;%mismatch%)",
            "item": item,
            "holds": value,
        }
        for cell, values in holds.items()
        for item, value in enumerate(values)
    ]
    table = pa.Table.from_pylist(rows, pa.schema(KINDS | GYM | {"item": pa.int32(), "holds": pa.bool_()}))
    pq.write_table(table, folder / "syntaxgym.parquet", write_page_checksum=True)
    _told(folder, {"gym": "syntaxgym"})


def _told(folder: Path, suites: Mapping[str, str]) -> None:
    card: dict[str, Any] = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    card["suites"] = {"blimp": "pairs", **card.get("suites", {}), **suites}
    (folder / "run.json").write_text(json.dumps(card), encoding="utf-8")
