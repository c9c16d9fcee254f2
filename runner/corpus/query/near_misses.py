"""Find near misses: sentences that meet all conditions of a filter but one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fictdsl.compiler import recompile
from fictdsl.syntax.weaken import weaker_filters
from runner.corpus.query.matches import matching_sids, run_in_parts, run_select
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import OutOfTimeError

if TYPE_CHECKING:
    import duckdb
    import numpy as np

    from fictdsl.compiler import CompiledFilter


@dataclass(frozen=True)
class NearMisses:
    """The sentences that a filter would match only without one of its conditions.

    `left_out` is the text of this condition, and `line` its line. `weaker` is the filter without it. `sentences` is the
    number of near misses, and `sids` has the ids of the first ones. If the query exceeded the time limit, `sentences`
    is None and `sids` is empty.
    """

    left_out: str
    line: int
    weaker: CompiledFilter
    sentences: int | None
    sids: np.ndarray


def find_near_misses(store: Store, compiled: CompiledFilter, limit: int) -> Iterator[NearMisses]:
    """Yield the first `limit` near misses for each condition that can be left out, in text order.

    The time limit of the store applies to each condition.
    """
    import numpy as np

    matching = matching_sids(store, [compiled])
    for variant in weaker_filters(compiled.module.source, compiled.definition):
        recompiled = recompile(compiled, variant.definition)
        if not recompiled.filters:  # the condition binds a name that is used elsewhere
            continue
        (weaker,) = recompiled.filters
        result = _additional_sentences(store, weaker, matching, limit)
        sentences, sids = (None, np.empty(0, np.int64)) if result is None else result
        yield NearMisses(variant.removed, variant.line, weaker, sentences, sids)


def _additional_sentences(
    store: Store, compiled: CompiledFilter, excluded: np.ndarray, limit: int
) -> tuple[int, np.ndarray] | None:
    """Return the number of matching sentences that are not `excluded`, and the first `limit` of their ids.

    Returns None if the query timed out.
    """
    import numpy as np
    import pyarrow as pa

    statement = store.statement(compiled)
    query = (
        f"SELECT sid, count(*) OVER () AS n FROM ({statement.sentences_text}) AS matching "  # noqa: S608
        f"WHERE sid NOT IN (SELECT sid FROM excluded) ORDER BY sid LIMIT {limit}"
    )

    def work(connection: duckdb.DuckDBPyConnection) -> pa.Table:
        connection.register("excluded", pa.table({"sid": excluded}))
        return run_select(connection, query)

    total, parts = 0, [np.empty(0, np.int64)]
    try:
        for table in run_in_parts(store, statement.features, statement.tables, work):
            if table.num_rows:
                total += table.column("n")[0].as_py()
                parts.append(table.column("sid").to_numpy())
    except OutOfTimeError:
        return None
    return total, np.concatenate(parts)[:limit]
