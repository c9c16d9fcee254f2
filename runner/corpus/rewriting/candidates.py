"""Find the matches of rewrites in a store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fictdsl.compiler import CompiledRewrite
from runner.corpus.query.matches import run_in_parts, run_select
from runner.corpus.rewriting.take import Candidate
from runner.corpus.store.opening import Store

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa


def candidates_in(store: Store, rewrites: Sequence[CompiledRewrite], chunk: int) -> dict[int, list[Candidate]]:
    """Return the matches in each sentence of a chunk, by sid, for the rewrites that do not match every sentence."""
    statements = [
        (index, store.statement(rewrite.matching))
        for index, rewrite in enumerate(rewrites)
        if not rewrite.matches_everywhere
    ]
    if not statements:
        return {}
    features = {name for _, statement in statements for name in statement.features}
    tables = {table for _, statement in statements for table in statement.tables}

    def work(connection: duckdb.DuckDBPyConnection) -> list[tuple[int, pa.Table]]:
        return [(index, run_select(connection, statement.text)) for index, statement in statements]

    candidates: dict[int, list[Candidate]] = {}
    for part in run_in_parts(store, features, tables, work, [chunk]):
        for index, table in part:
            for sid, *words in zip(*(column.to_pylist() for column in table.columns), strict=True):
                candidate = Candidate(index, tuple(word or 0 for word in words))
                candidates.setdefault(sid, []).append(candidate)
    return candidates


def candidates_everywhere(rewrites: Sequence[CompiledRewrite]) -> list[Candidate]:
    """Return a candidate for each rewrite that matches every sentence. It is the same in all sentences."""
    return [Candidate(index, ()) for index, rewrite in enumerate(rewrites) if rewrite.matches_everywhere]
