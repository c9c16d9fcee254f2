"""Find common table expressions (CTEs) that several statements share, so that each is computed once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fictdsl.sql.statement import CommonTableExpression, Statement, with_clause


@dataclass(frozen=True, slots=True)
class SharedCtes:
    """The SELECTs of the shared tables by name, and the `texts` of the statements, which read these tables."""

    tables: Mapping[str, str]
    texts: Sequence[str]


def share_ctes(statements: Sequence[Statement]) -> SharedCtes:
    """Return tables for the materialized CTEs that several statements share, and statements that read these tables."""
    frequencies = Counter(key for statement in statements for key in {cte.key for cte in statement.ctes})
    tables: dict[str, str] = {}
    texts = []
    for statement in statements:
        ctes = {cte.name: cte for cte in statement.ctes}
        shared = {
            name: f"shared_{cte.key[:16]}"
            for name, cte in ctes.items()
            if cte.materialized and frequencies[cte.key] > 1
        }
        required = _required(statement.matches.reads, ctes, shared)
        for name in required:
            if name in shared:
                dependencies = _required(ctes[name].query.reads, ctes, {})
                definitions = with_clause(ctes[dependency].definition for dependency in dependencies)
                tables.setdefault(shared[name], definitions + ctes[name].query.text)
        definitions = with_clause(
            f'"{name}" AS (FROM "{shared[name]}")' if name in shared else ctes[name].definition for name in required
        )
        texts.append(definitions + statement.matches.text)
    return SharedCtes(tables, texts)


def _required(reads: Iterable[str], ctes: Mapping[str, CommonTableExpression], shared: Mapping[str, str]) -> list[str]:
    """Return the names of the CTEs that a query reads, directly or through CTEs that are not `shared`, in order."""
    required: set[str] = set()
    pending = list(reads)
    while pending:
        name = pending.pop()
        if name not in required:
            required.add(name)
            pending += () if name in shared else ctes[name].query.reads
    return [name for name in ctes if name in required]
