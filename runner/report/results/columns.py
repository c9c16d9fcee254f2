"""Check that tables of results have the required columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


def require_columns(table: pa.Table, names: Iterable[str], path: object) -> None:
    """Raise InputError (FICT891) if a table lacks one of the columns. `path` is the file of the table."""
    missing = next((name for name in names if name not in table.column_names), None)
    if missing is not None:
        raise InputError(diagnostic("FICT891", path=str(path), reason=f"no column `{missing}`"))
