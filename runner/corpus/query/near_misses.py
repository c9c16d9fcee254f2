"""A filter and a store to near misses: the sentences that meet all conditions of the filter but one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fictdsl.compiler import recompile_with
from fictdsl.syntax.weaken import weaker_filters
from runner.corpus.query.matches import in_parts, matching_sids, named, run_select
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import OutOfTimeError

if TYPE_CHECKING:
    import duckdb
    import numpy as np

    from fictdsl.compiler import CompiledFilter


@dataclass(frozen=True)
class Near:
    """What a filter without the condition `left_out` (on that line) finds beyond the filter itself.

    `sentences` is how many there are and `sids` the first of them; None and none where the time was up.
    """

    left_out: str
    line: int
    weaker: CompiledFilter
    sentences: int | None
    sids: np.ndarray


def near_misses(store: Store, compiled: CompiledFilter, number: int) -> Iterator[Near]:
    """For each condition that can be left out, in the order of the text, the first `number` near misses.

    The time that the limits of the store allow is that for each condition.
    """
    import numpy as np

    own = matching_sids(store, [compiled.statement(layout=store.layout)])
    for less in weaker_filters(compiled.module.source, compiled.definition):
        without = recompile_with(compiled, less.definition)
        if without is None:  # what it binds is used elsewhere, so that it cannot be missing
            continue
        counted = _beyond(store, without, own, number)
        sentences, sids = (None, np.empty(0, np.int64)) if counted is None else counted
        yield Near(less.left_out, less.line, without, sentences, sids)


def _beyond(store: Store, compiled: CompiledFilter, own: np.ndarray, number: int) -> tuple[int, np.ndarray] | None:
    """How many sentences beyond `own` match, and the first of them; None where that took too long."""
    import numpy as np
    import pyarrow as pa

    statement = compiled.statement(layout=store.layout)
    query = (
        f"SELECT sid, count(*) OVER () AS n FROM ({statement.sentences}) AS found "  # noqa: S608
        f"WHERE sid NOT IN (SELECT sid FROM own) ORDER BY sid LIMIT {number}"
    )

    def work(connection: duckdb.DuckDBPyConnection) -> pa.Table:
        connection.register("own", pa.table({"sid": own}))
        return run_select(connection, query)

    total, parts = 0, [np.empty(0, np.int64)]
    try:
        for table in in_parts(store, statement.features, named(query), work):
            if table.num_rows:
                total += table.column("n")[0].as_py()
                parts.append(table.column("sid").to_numpy())
    except OutOfTimeError:
        return None
    return total, np.concatenate(parts)[:number]
