"""Select the judged pairs whose corrupted sentence both judges found unacceptable."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.readers import text_reason
from runner.score.suite_files import Row, csv_rows

JUDGEMENT_COLUMNS = ("judgement_1", "judgement_2")  # 1 if the corrupted sentence is acceptable, else 0


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The header and the selected rows as in the file, and the numbers of selected and of all rows."""

    text: str
    selected: int
    total: int


def review(path: Path) -> Reviewed:
    """Select the rows of a judged suite in which both judgements are 0. The suite may have further columns.

    Raises InputError: FICT647 if a judgement is neither 0 nor 1, FICT811 or FICT812 if the suite cannot be read.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(diagnostic("FICT811", path=path, reason=text_reason(error))) from error
    header, *rows = csv_rows(path, text, ("good", "bad"))
    judgements = [[_judgement(path, header, row, name) for name in JUDGEMENT_COLUMNS] for row in rows]
    selected = [row for row, values in zip(rows, judgements, strict=True) if set(values) == {"0"}]
    return Reviewed("".join(row.text for row in (header, *selected)), len(selected), len(rows))


def _judgement(path: Path, header: Row, row: Row, column: str) -> str:
    value = dict(zip(header.cells, row.cells, strict=False)).get(column, "")
    if value.strip() not in ("0", "1"):
        shown_value = f"`{value}`" if value else "nothing"
        raise InputError(diagnostic("FICT647", path=path, line=row.line, column=column, found=shown_value))
    return value.strip()
