"""SQL for paths up or down dependency trees, as recursive common table expressions (CTEs), and for crossing edges."""

from __future__ import annotations

from itertools import pairwise

from sqlglot import exp

from fictdsl.plan.nodes import Paths
from fictdsl.sql import fragments
from fictdsl.sql.context import Row, StatementBuilder, TableRow


def paths_query(paths: Paths, source: str, word: str, builder: StatementBuilder, ctes: list[exp.CTE]) -> exp.Select:
    """Return a query for the ends (sid, head, dep) of paths, and append the CTEs it needs to `ctes`.

    `source` is a table with the words at which paths start, and `word` its column of their ids. Only sentences of the
    source are searched. If the heads form a cycle, the shortest path between two words counts. The recursion then
    terminates if the number of steps is bounded or the dialect has a recursive UNION DISTINCT (DuckDB, but not Spark).
    """
    counts_steps = (paths.low, paths.high) not in ((1, None), (0, None))
    walk_name, edges_name = f"w{-paths.edge}_{len(ctes)}", f"w{-paths.edge}_{len(ctes)}n"
    builder.add(edges_name, _tree_edges(source, builder), materialized=True, ctes=ctes)
    start_columns = [exp.alias_(fragments.column("s", word), name, quoted=True) for name in ("head", "dep")]
    start_query = (
        exp.select(fragments.column("s", "sid"), *start_columns).distinct().from_(fragments.table(source, "s"))
    )
    start_query = (
        start_query.select(exp.alias_(fragments.integer(0), "steps", quoted=True)) if counts_steps else start_query
    )
    recursive_query = _recursive_step(paths, walk_name, edges_name, counts_steps=counts_steps)
    union = exp.union(start_query, recursive_query, distinct=builder.dialect.recursive_distinct)
    builder.recursive = True
    builder.add(walk_name, union, materialized=False, ctes=ctes)
    head, dep, steps = (fragments.column("w", name) for name in ("head", "dep", "steps"))
    columns = (fragments.column("w", "sid"), head, dep)
    query = exp.select(*columns).from_(fragments.table(walk_name, "w"))
    if counts_steps:
        query = query.group_by(*(column.copy() for column in columns))
        return query.having(exp.GTE(this=exp.Min(this=steps), expression=fragments.integer(paths.low)))
    return query.where(exp.NEQ(this=head.copy(), expression=dep.copy())) if paths.low else query


def _tree_edges(source: str, builder: StatementBuilder) -> exp.Select:
    """Return the tree edges of the sentences in the source."""
    word = TableRow("t", builder)
    same_sentence = exp.EQ(this=fragments.column("s", "sid"), expression=word.column("sid"))
    query = exp.select(*(word.column(name) for name in ("sid", "id", "head"))).from_(fragments.table("tokens", "t"))
    return query.join(fragments.table(source, "s"), on=same_sentence, join_type="semi")


def _recursive_step(paths: Paths, walk_name: str, edges_name: str, *, counts_steps: bool) -> exp.Select:
    """Return the recursive step, which extends each path to the head of its top or the dependents of its lowest word.

    The head of a root is 0, which is not a word, so a path that reaches it is not extended.
    """
    top, bottom = fragments.column("w", "head"), fragments.column("w", "dep")
    if paths.up:
        new_ends, joins_path = (
            (fragments.column("n", "head"), bottom),
            exp.EQ(this=fragments.column("n", "id"), expression=top),
        )
    else:
        new_ends, joins_path = (
            (top, fragments.column("n", "id")),
            exp.EQ(this=fragments.column("n", "head"), expression=bottom),
        )
    same_sentence = exp.EQ(this=fragments.column("n", "sid"), expression=fragments.column("w", "sid"))
    query = exp.select(fragments.column("w", "sid"), *new_ends)
    steps = fragments.column("w", "steps")
    if counts_steps:
        query = query.select(_next_count(steps, paths))
    query = query.from_(fragments.table(walk_name, "w"))
    query = query.join(fragments.table(edges_name, "n"), on=exp.and_(same_sentence, joins_path))
    if paths.high is not None:
        query = query.where(exp.LT(this=steps.copy(), expression=fragments.integer(paths.high)))
    return query


def _next_count(steps: exp.Expression, paths: Paths) -> exp.Expression:
    """Return the number of steps of the extended path. Without an upper bound, counting stops at the lower bound.

    Otherwise, every round of a cycle would add new rows, and the recursion would not terminate.
    """
    count = exp.Add(this=steps, expression=fragments.integer(1))
    return (
        count
        if paths.high is not None
        else exp.Least(this=count, expressions=[fragments.integer(paths.low)], ignore_nulls=True)
    )


# --- crossing edges


def edges_cross(left: Row, right: Row) -> exp.Expression:
    """Return the SQL condition that the edges into two words cross.

    Edges that share an end do not cross, and a root has no edge. The spans of crossing edges overlap, and begin and
    end in the same order. DuckDB evaluates this condition twice as fast as a disjunction of both orders.
    """
    (start, end), (other_start, other_end) = _ends(left), _ends(right)
    begins_first = exp.LT(this=start.copy(), expression=other_start.copy())
    ends_first = exp.LT(this=end.copy(), expression=other_end.copy())
    return exp.and_(
        *(_has_edge(row) for row in (left, right)),
        exp.LT(this=start.copy(), expression=other_end.copy()),
        exp.LT(this=other_start.copy(), expression=end.copy()),
        exp.EQ(this=exp.paren(begins_first), expression=exp.paren(ends_first)),
        exp.NEQ(this=start, expression=other_start),
        exp.NEQ(this=end, expression=other_end),
    )


def crossing_sentences(builder: StatementBuilder) -> exp.Select:
    """Return a query for the sentences in which two edges cross."""
    left, right = TableRow("a", builder), TableRow("b", builder)
    same_sentence = exp.EQ(this=left.column("sid"), expression=right.column("sid"))
    (start, end), (other_start, other_end) = _ends(left), _ends(right)
    points = pairwise((start, other_start, end, other_end))
    order = (exp.LT(this=low.copy(), expression=high.copy()) for low, high in points)
    query = exp.select(left.column("sid")).from_(fragments.table("tokens", "a"))
    return query.join(fragments.table("tokens", "b"), on=same_sentence).where(_has_edge(left), _has_edge(right), *order)


def _has_edge(row: Row) -> exp.Expression:
    return exp.GT(this=row.column("head"), expression=fragments.integer(0))


def _ends(row: Row) -> tuple[exp.Expression, exp.Expression]:
    """Return SQL for the ids of the two words that the edge into the row's word connects, the lower id first."""
    ends = row.column("id"), row.column("head")
    first, last = (
        function(this=ends[0].copy(), expressions=[ends[1].copy()], ignore_nulls=True)
        for function in (exp.Least, exp.Greatest)
    )
    return first, last
