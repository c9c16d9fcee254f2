"""Write and read suites of minimal pairs as Parquet files."""

from __future__ import annotations

from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.readers import parquet_reason
from runner.score.suites.pair import Pair
from runner.score.suites.suite import Suite
from runner.workspace import atomic_write


def write_pair_suite(suite: Suite, path: Path) -> None:
    """Write every field of every pair, in order. Equal suites give equal bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    text_columns = ("paradigm", "phenomenon", "field", "good", "bad", "prefix_method")
    columns: dict[str, pa.Array] = {
        name: pa.array([getattr(pair, name) for pair in suite.items], pa.string()) for name in text_columns
    }
    columns["item"] = pa.array([pair.item for pair in suite.items], pa.int32())
    for name in ("prefixes", "words"):
        for index, side in enumerate(("good", "bad")):
            columns[f"{name}_{side}"] = pa.array([getattr(pair, name)[index] for pair in suite.items], pa.string())
    table = pa.table(columns).replace_schema_metadata({"suite": suite.name})
    with atomic_write(path) as temp:
        pq.write_table(table, temp, write_page_checksum=True)


def read_pair_suite(path: Path) -> Suite:
    """Read a file that `write_pair_suite` has written. Raises InputError (FICT811) if it cannot be read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path, page_checksum_verification=True)
        rows = table.to_pylist()
        pairs = [
            Pair(
                row["paradigm"],
                row["phenomenon"],
                row["field"],
                row["item"],
                row["good"],
                row["bad"],
                row["prefix_method"],
                (row["prefixes_good"], row["prefixes_bad"]),
                (row["words_good"], row["words_bad"]),
            )
            for row in rows
        ]
        name = (table.schema.metadata or {}).get(b"suite", path.stem.encode()).decode()
    except (OSError, KeyError, UnicodeDecodeError, pa.ArrowException) as error:
        raise InputError(diagnostic("FICT811", path=path, reason=_reason(error))) from error
    return Suite(name, pairs)


def _reason(error: Exception) -> str:
    match error:
        case KeyError():
            return f"it has no column {error}"
        case UnicodeDecodeError():
            return f"its text is not UTF-8 ({error})"
    return parquet_reason(error)
