"""Compare the numbers of a paper with those of a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from runner.errors import InputError
from runner.report.packs.load import PackFile
from runner.report.packs.model import PublishedNumber
from runner.tables import Table, Value

UNEXPLAINED = "not explained by the pack"
UNKNOWN = "the table of results does not determine it"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A published number and the report's value for it, in the unit of the paper, or None if it is unknown.

    `reason` states why they differ or why the value is unknown. It is empty if they agree.
    """

    published: PublishedNumber
    value: float | None
    reason: str

    @property
    def agrees(self) -> bool | None:
        """Whether the value agrees with the published number, or None if the value is unknown."""
        return None if self.value is None else self.published.agrees(self.value)


def compare(file: PackFile, tables: Sequence[Table]) -> tuple[Comparison, ...]:
    """Return every published number with its recomputed value.

    Raises InputError (FICT897) for entries that do not identify one value of the report.
    """
    tables_by_name = {table.name: table for table in tables}
    comparisons, problems = [], []
    for index, published in enumerate(file.pack.figure):
        value = _value(file, index, published, tables_by_name)
        if isinstance(value, Diagnostic):
            problems.append(value)
        else:
            comparisons.append(_comparison(published, value))
    if problems:
        raise InputError(problems)
    return tuple(comparisons)


def _comparison(published: PublishedNumber, value: Value) -> Comparison:
    if not isinstance(value, (int, float)):
        return Comparison(published, None, published.reason or UNKNOWN)
    number = 100.0 * value if published.percent else float(value)
    return Comparison(published, number, "" if published.agrees(number) else published.reason or UNEXPLAINED)


def _value(file: PackFile, index: int, published: PublishedNumber, tables: Mapping[str, Table]) -> Value | Diagnostic:
    """Return the value to which a published number refers, or a diagnostic for its entry."""

    def problem(key: str, reason: str, name: str = "", candidates: Sequence[str] = ()) -> Diagnostic:
        hint = (did_you_mean(name, candidates) or f"known names: {', '.join(candidates)}") if candidates else None
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
    for name, expected in published.row.items():
        matching = [row for row in rows if row[name] == expected]
        if not matching:
            values = list(dict.fromkeys(str(row[name]) for row in rows))[:12]
            return problem(
                "row", f"no such row of `{published.table}` has {name} = {expected!r}", str(expected), values
            )
        rows = matching
    if len(rows) != 1:
        differing = [name for name in columns if len({row[name] for row in rows}) > 1]
        reason = f"{len(rows)} rows of `{published.table}` have these values; they differ in {', '.join(differing[:6])}"
        return problem("row", reason)
    return rows[0][published.column]
