"""Pairs that people judged to those that stay: whose corrupted sentence both found unacceptable."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.score.suites.lines import Row, csv_rows

JUDGEMENTS = ("judgement_1", "judgement_2")  # 1 where the corrupted sentence is acceptable after all, else 0


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The header and the rows that stay, as they are written, and how many there were."""

    text: str
    kept: int
    every: int


def review(path: Path) -> Reviewed:
    """Read a judged suite, of whatever columns beside.

    InputError: FICT647 where a judgement is neither 0 nor 1, FICT811, FICT812.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(diagnostic("FICT811", path=path, reason=str(error))) from error
    header, *rows = csv_rows(path, text, ("good", "bad"))
    kept = [row for row in rows if all(_judgement(path, header, row, name) == "0" for name in JUDGEMENTS)]
    return Reviewed("".join(row.text for row in (header, *kept)), len(kept), len(rows))


def _judgement(path: Path, header: Row, row: Row, column: str) -> str:
    found = dict(zip(header.cells, row.cells, strict=False)).get(column, "")
    if found.strip() not in ("0", "1"):
        told = f"`{found}`" if found else "nothing"
        raise InputError(diagnostic("FICT647", path=path, line=row.line, column=column, found=told))
    return found.strip()
