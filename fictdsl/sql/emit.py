"""Emit a plan as one SELECT statement over the tables of a corpus store, or as a query for each of its steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from fictdsl.plan.layout import PLAIN, Layout
from fictdsl.plan.nodes import Plan, Ref
from fictdsl.sql.ctes import CteWriter, render, tables_read
from fictdsl.sql.statement import Select, Statement
from fictdsl.sql.writer import PlanWriter


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
