"""Emit a plan as one SELECT statement over the tables of a corpus store, or as a query for other commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import assert_never

from sqlglot import exp

from fictdsl.plan.nodes import Plan, Ref
from fictdsl.schema import PLAIN, Layout
from fictdsl.semantics import ir
from fictdsl.sql import fragments
from fictdsl.sql.statement import CommonTableExpression, Select, Statement
from fictdsl.sql.writer import PlanWriter


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


def emit(plan: Plan, names: tuple[str, ...], dialect: str = "duckdb", layout: Layout = PLAIN) -> Statement:
    """Emit a plan of a filter with these node names. All aliases are generated: the names never become identifiers."""
    writer = PlanWriter(plan, dialect, layout)
    writer.write_steps()
    results = writer.result(plan.name_count), writer.result(0)
    ctes = writer.builder.ctes
    features = () if layout.raw else tuple(sorted(writer.builder.features))
    if writer.builder.recursive:
        tables = tables_read([*(cte.this for cte in ctes), *results], ctes)
        definitions = ", ".join(render(cte, dialect) for cte in ctes)
        # Without definitions here, each reading has a WITH clause of its own.
        recursive_clause = f"WITH RECURSIVE {definitions} " if definitions else ""
        matches, matching_sentences = (Select(recursive_clause + render(result, dialect)) for result in results)
        return Statement(names, features, tables, dialect, matches, matching_sentences)
    cte_writer = CteWriter(dialect)
    for cte in ctes:
        cte_writer.add(cte)
    matches, matching_sentences = map(cte_writer.select, results)
    tables = tuple(sorted(cte_writer.tables))
    return Statement(names, features, tables, dialect, matches, matching_sentences, tuple(cte_writer.ctes.values()))


def pretty(plan: Plan, dialect: str, layout: Layout = PLAIN) -> str:
    """Return the SELECT of a plan's matches as text with line breaks and indentation."""
    writer = PlanWriter(plan, dialect, layout)
    writer.write_steps()
    query = writer.result(plan.name_count)
    query.set("with_", writer.builder.with_clause)
    return str(query.sql(dialect=dialect, identify=True, comments=False, pretty=True))


@dataclass(frozen=True, slots=True)
class StepQuery:
    """A SELECT over the tables of a store and over earlier queries, by name.

    `step` is the relation of the plan that it computes, or None for an auxiliary query. `name` is None for a step that
    is inlined in a join, so that no later query reads it.
    """

    text: str
    name: str | None
    step: Ref | None


def step_queries(
    plan: Plan, dialect: str = "duckdb", layout: Layout = PLAIN
) -> tuple[tuple[StepQuery, ...], Statement]:
    """Return the common table expressions and inlined scans of a plan as queries, and the statement over their results.

    The `tables` and `features` of the statement include those of the queries.
    """
    writer = PlanWriter(plan, dialect, layout, flat=True)
    writer.write_steps()
    steps = list(_named_queries(writer))
    results = writer.result(plan.name_count), writer.result(0)
    tables = tables_read([*(query for query, *_ in steps), *results], writer.builder.ctes)
    features = tuple(sorted(writer.builder.features))
    matches, matching_sentences = (Select(render(result, dialect)) for result in results)
    names = tuple(f"m{index}" for index in range(plan.name_count))
    queries = tuple(StepQuery(render(query, dialect), name, step) for query, name, step in steps)
    return queries, Statement(names, features, tables, dialect, matches, matching_sentences)


def _named_queries(writer: PlanWriter) -> Iterator[tuple[exp.Expression, str | None, Ref | None]]:
    """Yield each query with its name and step, as in `StepQuery`."""
    for cte in writer.builder.ctes:
        is_step = cte.alias[0] == "r" and cte.alias[1:].isdecimal()
        yield cte.this, cte.alias, int(cte.alias[1:]) if is_step else None
    for step, query in writer.inlined():
        yield query, None, step


@dataclass(frozen=True, slots=True)
class Targets:
    """Two SELECTs over `matches`, the result of the filter's statement, each returning distinct rows, sorted.

    `distinct` returns a row for each target of `action`. Its columns are `sid`, and `t0` for a node or the top word of
    a subtree, or `t0` and `t1` for the first and the last word of a span. `words` returns the `sid, id` of all words in
    the targets, and also reads `tokens`.
    """

    action: ir.Action
    distinct: str
    words: str


def targets(action: ir.Action, dialect: str = "duckdb") -> Targets:
    """Return the statements of an action. Its nodes must be bound in every match."""
    distinct, words = (
        str(query.sql(dialect=dialect, identify=True, comments=False))
        for query in (_distinct_targets(action), _words(action))
    )
    return Targets(action, distinct, words)


def pretty_targets(action: ir.Action, dialect: str) -> str:
    """Return the `words` statement with line breaks and indentation."""
    return str(_words(action).sql(dialect=dialect, identify=True, comments=False, pretty=True))


def _target_rows(action: ir.Action) -> exp.Select:
    ids: list[exp.Expression] = [fragments.column("m", f"m{index}") for index in action.nodes]
    if action.target == "span":
        start, end = ids
        ids = [function(this=start, expressions=[end], ignore_nulls=True) for function in (exp.Least, exp.Greatest)]
    target_columns = [exp.alias_(value, f"t{index}", quoted=True) for index, value in enumerate(ids)]
    return exp.select(fragments.column("m", "sid"), *target_columns).distinct().from_(fragments.table("matches", "m"))


def _distinct_targets(action: ir.Action) -> exp.Select:
    names = ("sid", *(f"t{index}" for index in range(len(action.nodes))))
    return _target_rows(action).order_by(*(exp.column(name, quoted=True) for name in names))


def _words(action: ir.Action) -> exp.Select:
    query = exp.select(fragments.column("w", "sid"), fragments.column("w", "id")).distinct()
    query = query.from_(exp.Subquery(this=_target_rows(action), alias=exp.TableAlias(this=exp.to_identifier("a"))))
    conditions = [exp.EQ(this=fragments.column("w", "sid"), expression=fragments.column("a", "sid"))]
    word_id, first_id = fragments.column("w", "id"), fragments.column("a", "t0")
    match action.target:
        case "sentence":
            pass
        case "node":
            conditions.append(exp.EQ(this=word_id, expression=first_id))
        case "span":
            conditions.append(exp.Between(this=word_id, low=first_id, high=fragments.column("a", "t1")))
        case "subtree":
            is_top_word = [
                exp.EQ(this=fragments.column("x", "sid"), expression=fragments.column("a", "sid")),
                exp.EQ(this=fragments.column("x", "id"), expression=first_id),
            ]
            query = query.join(fragments.table("tokens", "x"), on=fragments.all_of(is_top_word))
            low, high = fragments.column("x", "pre"), fragments.column("x", "last")
            conditions.append(exp.Between(this=fragments.column("w", "pre"), low=low, high=high))
        case _:
            assert_never(action.target)
    query = query.join(fragments.table("tokens", "w"), on=fragments.all_of(conditions))
    return query.order_by(fragments.column("w", "sid"), fragments.column("w", "id"))
