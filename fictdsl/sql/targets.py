"""Write SQL for the targets of an action: two SELECT statements over the matches of its filter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from sqlglot import exp

from fictdsl.semantics import ir
from fictdsl.sql import fragments


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


def pretty(action: ir.Action, dialect: str) -> str:
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
