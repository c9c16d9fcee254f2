"""Write common table expressions (CTEs) as parts of a statement, and find the tables that queries read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from sqlglot import exp

from fictdsl.sql.statement import Part, Select


def render(query: exp.Expression, dialect: str) -> str:
    """Return a query as text in a dialect, with all names quoted."""
    return str(query.sql(dialect=dialect, identify=True, comments=False))


def write_parts(ctes: Iterable[exp.CTE], dialect: str) -> tuple[Part, ...]:
    """Return CTEs, in order of dependency, as parts. They must not be recursive, and are changed."""
    parts: dict[str, Part] = {}
    for cte in ctes:
        query = write_select(cte.this, list(parts.values()), dialect)
        materialized = bool(cte.args["materialized"])
        name = render(cte.args["alias"].this, dialect)
        definition = f"{name} AS {'MATERIALIZED ' if materialized else ''}({query.text})"
        keyed = _named_by_keys(cte.this, parts, dialect) if query.reads else query.text
        parts[cte.alias] = Part(cte.alias, query, definition, sha256(keyed.encode()).hexdigest(), materialized)
    return tuple(parts.values())


def write_select(query: exp.Expression, parts: Sequence[Part], dialect: str) -> Select:
    """Return a query that may read parts."""
    read = {table.name for table in query.find_all(exp.Table)}
    return Select(render(query, dialect), tuple(part.name for part in parts if part.name in read))


def tables_read(queries: Sequence[exp.Expression], ctes: Iterable[exp.CTE]) -> tuple[str, ...]:
    """Return the tables of a store that queries read, sorted; `ctes` are the CTEs outside the queries."""
    defined = {cte.alias for cte in ctes}
    read: set[str] = set()
    for query in queries:
        defined |= {cte.alias for cte in query.find_all(exp.CTE)}
        read |= {table.name for table in query.find_all(exp.Table)}
    return tuple(sorted(read - defined))


def _named_by_keys(query: exp.Expression, parts: Mapping[str, Part], dialect: str) -> str:
    """Return the text of a query in which the parts that it reads are named by their keys."""
    for table in query.find_all(exp.Table):
        if table.name in parts:
            table.set("this", exp.to_identifier(parts[table.name].key))
    return render(query, dialect)
