"""SQL for the targets of an action: two SELECT statements over the matches of its filter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from sqlglot import exp

from fictdsl.semantics import ir
from fictdsl.sql import quote


@dataclass(frozen=True, slots=True)
class Targets:
    """Two SELECTs over `matches`, the result of the filter's statement, each returning distinct rows, sorted.

    `distinct` returns a row for each target of `action`: `sid`, and as `t0` the word of a node or the top word of a
    subtree, or as `t0`, `t1` the first and last word of a span. `words` returns the `sid, id` of all words in the
    targets, and also reads `tokens`.
    """

    action: ir.Action
    distinct: str
    words: str


def targets(action: ir.Action, dialect: str = "duckdb") -> Targets:
    """Return the statements of an action, whose nodes must be bound in every match."""
    distinct, words = (
        str(query.sql(dialect=dialect, identify=True, comments=False)) for query in (_distinct(action), _words(action))
    )
    return Targets(action, distinct, words)


def pretty(action: ir.Action, dialect: str) -> str:
    """Return the `words` statement with line breaks and indentation."""
    return str(_words(action).sql(dialect=dialect, identify=True, comments=False, pretty=True))


def _targets(action: ir.Action) -> exp.Select:
    bound: list[exp.Expression] = [quote.column("m", f"m{index}") for index in action.nodes]
    if action.target == "span":
        start, end = bound
        bound = [function(this=start, expressions=[end], ignore_nulls=True) for function in (exp.Least, exp.Greatest)]
    named = [exp.alias_(value, f"t{number}", quoted=True) for number, value in enumerate(bound)]
    return exp.select(quote.column("m", "sid"), *named).distinct().from_(quote.table("matches", "m"))


def _distinct(action: ir.Action) -> exp.Select:
    names = ("sid", *(f"t{number}" for number in range(len(action.nodes))))
    return _targets(action).order_by(*(exp.column(name, quoted=True) for name in names))


def _words(action: ir.Action) -> exp.Select:
    query = exp.select(quote.column("w", "sid"), quote.column("w", "id")).distinct()
    query = query.from_(exp.Subquery(this=_targets(action), alias=exp.TableAlias(this=exp.to_identifier("a"))))
    inside = [exp.EQ(this=quote.column("w", "sid"), expression=quote.column("a", "sid"))]
    word, first = quote.column("w", "id"), quote.column("a", "t0")
    match action.target:
        case "sentence":
            pass
        case "node":
            inside.append(exp.EQ(this=word, expression=first))
        case "span":
            inside.append(exp.Between(this=word, low=first, high=quote.column("a", "t1")))
        case "subtree":
            top = [
                exp.EQ(this=quote.column("x", "sid"), expression=quote.column("a", "sid")),
                exp.EQ(this=quote.column("x", "id"), expression=first),
            ]
            query = query.join(quote.table("tokens", "x"), on=quote.all_of(top))
            low, high = quote.column("x", "pre"), quote.column("x", "last")
            inside.append(exp.Between(this=quote.column("w", "pre"), low=low, high=high))
        case _:
            assert_never(action.target)
    query = query.join(quote.table("tokens", "w"), on=quote.all_of(inside))
    return query.order_by(quote.column("w", "sid"), quote.column("w", "id"))
