"""Compare the numbers of a paper with those of the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from runner.errors import InputError
from runner.report.packs.load import PackFile
from runner.report.packs.model import PublishedNumber
from runner.report.tables.table import Table, Value

UNEXPLAINED = "not explained by the pack"
UNKNOWN = "the table of results does not tell"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A published number and the value that the report has for it, in the paper's unit; None if it is unknown."""

    published: PublishedNumber
    value: float | None
    reason: str

    @property
    def agrees(self) -> bool | None:
        """Whether the value rounds to the printed one; None if it is unknown."""
        return None if self.value is None else self.published.agrees(self.value)


def compare(file: PackFile, tables: Sequence[Table]) -> tuple[Comparison, ...]:
    """Return every published number with its recomputed value.

    Raises InputError (FICT897) for entries that name no single value of the report.
    """
    by_name = {table.name: table for table in tables}
    compared, problems = [], []
    for index, published in enumerate(file.pack.figure):
        found = _value(file, index, published, by_name)
        if isinstance(found, Diagnostic):
            problems.append(found)
        else:
            compared.append(_compared(published, found))
    if problems:
        raise InputError(problems)
    return tuple(compared)


def _compared(published: PublishedNumber, value: Value) -> Comparison:
    if not isinstance(value, (int, float)):
        return Comparison(published, None, published.reason or UNKNOWN)
    number = 100.0 * value if published.percent else float(value)
    return Comparison(published, number, "" if published.agrees(number) else published.reason or UNEXPLAINED)


def _value(file: PackFile, index: int, published: PublishedNumber, tables: Mapping[str, Table]) -> Value | Diagnostic:
    """Return the value that a published number refers to, or the mistake in its entry."""

    def problem(key: str, reason: str, name: str = "", known: Sequence[str] = ()) -> Diagnostic:
        hint = (did_you_mean(name, known) or f"there are {', '.join(known)}") if known else None
        return file.problem("figure", index, key, reason=f"figure `{published.what}`: {reason}", hint=hint)

    if published.table is None or published.column is None:
        return None
    table = tables.get(published.table)
    if table is None:
        return problem("table", f"the report has no table `{published.table}`", published.table, sorted(tables))
    columns = [column.key for column in table.columns if column.saved]
    for name in (*published.row, published.column):
        if name not in columns:
            key = "column" if name == published.column else "row"
            return problem(key, f"the table `{published.table}` has no column `{name}`", name, columns)
    rows = table.records()
    for name, wanted in published.row.items():
        matching = [row for row in rows if row[name] == wanted]
        if not matching:
            values = list(dict.fromkeys(str(row[name]) for row in rows))[:12]
            return problem("row", f"no such row of `{published.table}` has {name} = {wanted!r}", str(wanted), values)
        rows = matching
    if len(rows) != 1:
        differing = [name for name in columns if len({row[name] for row in rows}) > 1]
        reason = f"{len(rows)} rows of `{published.table}` have these values; they differ in {', '.join(differing[:6])}"
        return problem("row", reason)
    return rows[0][published.column]
