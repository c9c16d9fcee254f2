"""Paths up or down the trees to common tables that walk from head to head."""

from __future__ import annotations

from sqlglot import exp

from fictdsl.plan.nodes import Paths
from fictdsl.sql import quote
from fictdsl.sql.context import StatementBuilder, TableRow


def paths_query(paths: Paths, source: str, word: str, statement: StatementBuilder, tables: list[exp.CTE]) -> exp.Select:
    """The pairs (sid, head, dep) of a step. `source` is the table of its source, `word` the column of its node there.

    The common tables that it needs are put at the end of `tables`.

    Only the sentences of the source are walked in, from its words on. In DuckDB a walk also ends where a table holds a
    cycle; Spark knows no recursion that drops what it has seen.
    """
    counted = (paths.low, paths.high) not in ((1, None), (0, None))
    walk, near = f"w{-paths.edge}_{len(tables)}", f"w{-paths.edge}_{len(tables)}n"
    statement.add(near, _near(source, statement), materialized=True, tables=tables)
    start = [exp.alias_(quote.column("s", word), name, quoted=True) for name in ("head", "dep")]
    begin = exp.select(quote.column("s", "sid"), *start).distinct().from_(quote.table(source, "s"))
    begin = begin.select(exp.alias_(quote.integer(0), "steps", quoted=True)) if counted else begin
    further = _further(paths, walk, near, counted=counted)
    union = exp.union(begin, further, distinct=statement.dialect == "duckdb")
    statement.recursive = True
    statement.add(walk, union, materialized=False, tables=tables)
    head, dep, steps = (quote.column("w", name) for name in ("head", "dep", "steps"))
    query = exp.select(quote.column("w", "sid"), head, dep).from_(quote.table(walk, "w"))
    if counted:
        query = query.where(exp.GTE(this=steps, expression=quote.integer(paths.low)))
    return query if counted or not paths.low else query.where(exp.NEQ(this=head.copy(), expression=dep.copy()))


def _near(source: str, statement: StatementBuilder) -> exp.Select:
    """The tree edges of the sentences that the source has a word in."""
    word = TableRow("t", statement)
    same = exp.EQ(this=quote.column("s", "sid"), expression=word.column("sid"))
    query = exp.select(*(word.column(name) for name in ("sid", "id", "head"))).from_(quote.table("tokens", "t"))
    return query.join(quote.table(source, "s"), on=same, join_type="semi")


def _further(paths: Paths, walk: str, near: str, *, counted: bool) -> exp.Select:
    """One step on: from the top of each path to its head, or from its lowest word to those that depend on it.

    Above the root is 0, which is no word: such a path leads no further, and to nothing that is asked for.
    """
    top, low = quote.column("w", "head"), quote.column("w", "dep")
    if paths.up:
        ends, tied = (quote.column("n", "head"), low), exp.EQ(this=quote.column("n", "id"), expression=top)
    else:
        ends, tied = (top, quote.column("n", "id")), exp.EQ(this=quote.column("n", "head"), expression=low)
    same = exp.EQ(this=quote.column("n", "sid"), expression=quote.column("w", "sid"))
    query = exp.select(quote.column("w", "sid"), *ends)
    steps = quote.column("w", "steps")
    if counted:
        query = query.select(exp.Add(this=steps, expression=quote.integer(1)))
    query = query.from_(quote.table(walk, "w")).join(quote.table(near, "n"), on=exp.and_(same, tied))
    if paths.high is not None:
        query = query.where(exp.LT(this=steps.copy(), expression=quote.integer(paths.high)))
    return query
