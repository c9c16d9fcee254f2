"""The figures of a paper beside those of the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from runner.errors import InputError
from runner.report.packs.load import PackFile
from runner.report.packs.model import PrintedFigure
from runner.report.tables.table import Table, Value

UNEXPLAINED = "not explained by the pack"
UNKNOWN = "the table of results does not tell"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A printed figure and the value that the report has for it, in the paper's unit; None if it is unknown."""

    figure: PrintedFigure
    value: float | None
    reason: str

    @property
    def agrees(self) -> bool | None:
        """Whether the value rounds to the printed one; None if it is unknown."""
        return None if self.value is None else self.figure.agrees(self.value)


def compare(file: PackFile, tables: Sequence[Table]) -> tuple[Comparison, ...]:
    """Return every figure with its recomputed value.

    Raises InputError (FICT897) for figures that name no single value of the report.
    """
    by_name = {table.name: table for table in tables}
    compared, problems = [], []
    for index, figure in enumerate(file.pack.figure):
        found = _value(file, index, figure, by_name)
        if isinstance(found, Diagnostic):
            problems.append(found)
        else:
            compared.append(_compared(figure, found))
    if problems:
        raise InputError(problems)
    return tuple(compared)


def _compared(figure: PrintedFigure, value: Value) -> Comparison:
    if not isinstance(value, (int, float)):
        return Comparison(figure, None, figure.reason or UNKNOWN)
    number = 100.0 * value if figure.percent else float(value)
    return Comparison(figure, number, "" if figure.agrees(number) else figure.reason or UNEXPLAINED)


def _value(file: PackFile, index: int, figure: PrintedFigure, tables: Mapping[str, Table]) -> Value | Diagnostic:
    """Return the value that a figure names, or the mistake in it."""

    def problem(key: str, reason: str, name: str = "", known: Sequence[str] = ()) -> Diagnostic:
        hint = (did_you_mean(name, known) or f"there are {', '.join(known)}") if known else None
        return file.problem("figure", index, key, reason=f"figure `{figure.what}`: {reason}", hint=hint)

    if figure.table is None or figure.column is None:
        return None
    table = tables.get(figure.table)
    if table is None:
        return problem("table", f"the report has no table `{figure.table}`", figure.table, sorted(tables))
    columns = [column.key for column in table.columns if column.saved]
    for name in (*figure.row, figure.column):
        if name not in columns:
            key = "column" if name == figure.column else "row"
            return problem(key, f"the table `{figure.table}` has no column `{name}`", name, columns)
    rows = table.records()
    for name, wanted in figure.row.items():
        matching = [row for row in rows if row[name] == wanted]
        if not matching:
            values = list(dict.fromkeys(str(row[name]) for row in rows))[:12]
            return problem("row", f"no such row of `{figure.table}` has {name} = {wanted!r}", str(wanted), values)
        rows = matching
    if len(rows) != 1:
        differing = [name for name in columns if len({row[name] for row in rows}) > 1]
        reason = f"{len(rows)} rows of `{figure.table}` have these values; they differ in {', '.join(differing[:6])}"
        return problem("row", reason)
    return rows[0][figure.column]
