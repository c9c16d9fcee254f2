"""Write the common table expressions (CTEs) of a statement, and find the tables that queries read."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from sqlglot import exp

from fictdsl.sql.statement import CommonTableExpression, Select


def render(query: exp.Expression, dialect: str, *, copy: bool = True) -> str:
    """Return a query as text in a dialect, with all names quoted; without `copy`, the query cannot be used again."""
    return str(query.sql(dialect=dialect, identify=True, comments=False, copy=copy))


class CteWriter:
    """Writes the CTEs of one statement, in order of dependency, and the queries that read them.

    `tables` are the tables of a store that CTEs and queries read.
    """

    def __init__(self, dialect: str) -> None:
        self.ctes: dict[str, CommonTableExpression] = {}
        self.tables: set[str] = set()
        self._dialect = dialect

    def add(self, cte: exp.CTE) -> None:
        """Add a CTE that is not recursive, after the CTEs that it reads; the expression cannot be used again."""
        tables = self._record_tables(cte.this)
        references = [table for table in tables if table.name in self.ctes]
        text = render(cte.this, self._dialect, copy=bool(references))
        materialized = bool(cte.args["materialized"])
        name = render(cte.args["alias"].this, self._dialect)
        definition = f"{name} AS {'MATERIALIZED ' if materialized else ''}({text})"
        query = Select(text, self._cte_names(references))
        for reference in references:  # the key refers to other CTEs by key, not by name
            reference.set("this", exp.to_identifier(self.ctes[reference.name].key))
        key_text = render(cte.this, self._dialect, copy=False) if references else text
        self.ctes[cte.alias] = CommonTableExpression(
            cte.alias, query, definition, sha256(key_text.encode()).hexdigest(), materialized
        )

    def select(self, query: exp.Expression) -> Select:
        """Return a query that may read CTEs; the expression cannot be used again."""
        tables = self._record_tables(query)
        return Select(render(query, self._dialect, copy=False), self._cte_names(tables))

    def _record_tables(self, query: exp.Expression) -> list[exp.Table]:
        """Return the references to tables and CTEs in a query, and record the tables of the store."""
        found = list(query.find_all(exp.Table, exp.CTE))
        tables = [table for table in found if isinstance(table, exp.Table)]
        nested_names = {cte.alias for cte in found if isinstance(cte, exp.CTE)}
        self.tables |= {table.name for table in tables} - self.ctes.keys() - nested_names
        return tables

    def _cte_names(self, tables: Iterable[exp.Table]) -> tuple[str, ...]:
        names_read = {table.name for table in tables}
        return tuple(name for name in self.ctes if name in names_read)


def tables_read(queries: Iterable[exp.Expression], ctes: Iterable[exp.CTE]) -> tuple[str, ...]:
    """Return the tables of a store that queries read, sorted; `ctes` are the CTEs outside the queries."""
    cte_names = {cte.alias for cte in ctes}
    names_read: set[str] = set()
    for query in queries:
        cte_names |= {cte.alias for cte in query.find_all(exp.CTE)}
        names_read |= {table.name for table in query.find_all(exp.Table)}
    return tuple(sorted(names_read - cte_names))
