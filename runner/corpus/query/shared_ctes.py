"""Find parts (common table expressions) that several statements share, so that each is computed once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fictdsl.sql.statement import Part, Statement, with_clause


@dataclass(frozen=True, slots=True)
class SharedCtes:
    """Tables by name, each as a SELECT; and the `texts` of the statements, which read the store's and these tables."""

    tables: Mapping[str, str]
    texts: Sequence[str]


def share_ctes(statements: Sequence[Statement]) -> SharedCtes:
    """Return the parts with equal keys in two or more statements as tables, and the statements over these."""
    frequencies = Counter(key for statement in statements for key in {part.key for part in statement.parts})
    tables: dict[str, str] = {}
    texts = []
    for statement in statements:
        parts = {part.name: part for part in statement.parts}
        shared = {
            name: f"shared_{part.key[:16]}"
            for name, part in parts.items()
            if part.materialized and frequencies[part.key] > 1
        }
        required = _required(statement.matches.reads, parts, shared)
        for name in required:
            if name in shared:
                below = _required(parts[name].query.reads, parts, {})
                definitions = with_clause(parts[other].definition for other in below)
                tables.setdefault(shared[name], definitions + parts[name].query.text)
        definitions = with_clause(
            f'"{name}" AS (FROM "{shared[name]}")' if name in shared else parts[name].definition for name in required
        )
        texts.append(definitions + statement.matches.text)
    return SharedCtes(tables, texts)


def _required(reads: Iterable[str], parts: Mapping[str, Part], shared: Mapping[str, str]) -> list[str]:
    """Return the parts that a query reads, in order, with all parts below them, except below `shared` ones."""
    required: set[str] = set()
    pending = list(reads)
    while pending:
        name = pending.pop()
        if name not in required:
            required.add(name)
            pending += () if name in shared else parts[name].query.reads
    return [name for name in parts if name in required]
