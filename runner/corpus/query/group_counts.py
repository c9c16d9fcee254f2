"""Count a filter's matches for each combination of values of some keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from fictdsl.schema import FEATURE, LOWERED, WORD_STRINGS, identifier
from runner.corpus.query.group_keys import SENTENCE_KEYS, GroupKey
from runner.corpus.query.matches import match
from runner.corpus.sentences.metadata_sql import metadata_query
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query

if TYPE_CHECKING:
    import duckdb

    from fictdsl.compiler import CompiledFilter

ABSENT, UNBOUND = "_", "(unbound)"


@dataclass(frozen=True, slots=True)
class GroupCount:
    """The values of the keys, the number of matches with them, and their share of all matches."""

    values: tuple[str, ...]
    matches: int
    share: float


def count_groups(store: Store, compiled: CompiledFilter, keys: Sequence[GroupKey]) -> list[GroupCount]:
    """Return the counts, by descending frequency and then by values.

    The value is `_` if the word does not have the attribute, and `(unbound)` if the match does not bind the name.
    """
    builder = _QueryBuilder(compiled.names)
    expressions = ", ".join(f"{builder.value(key)} AS k{number}" for number, key in enumerate(keys))
    aliases = ", ".join(f"k{number}" for number in range(len(keys)))
    query = (
        f"SELECT {aliases}, count(*) AS n FROM (SELECT {expressions} FROM match_rows AS f {' '.join(builder.joins)}) "  # noqa: S608
        f"GROUP BY {aliases} ORDER BY n DESC, {aliases}"
    )
    matches = match(store, compiled)

    def work(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
        connection.register("match_rows", matches)
        return connection.execute(query, builder.parameters).fetchall()

    rows = run_query(store, work, features=builder.features)
    total = sum(number for *_, number in rows)
    return [GroupCount(tuple(values), number, number / total) for *values, number in rows]


@dataclass
class _QueryBuilder:
    """The joins for the keys of a query; what a user wrote becomes a parameter, never SQL."""

    names: Sequence[str]
    joins: list[str] = field(default_factory=list)
    parameters: list[str] = field(default_factory=list)
    features: list[str] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=count)

    def value(self, key: GroupKey) -> str:
        """Return an expression of the key's value that is never NULL."""
        if key.name is not None:
            word = f"f.m{self.names.index(key.name)}"
            return (
                f"CASE WHEN {word} IS NULL THEN '{UNBOUND}' ELSE coalesce({self._of_word(key, word)}, '{ABSENT}') END"
            )
        if key.attribute in SENTENCE_KEYS:
            return f"coalesce({self._sentence()}.{key.attribute}::VARCHAR, '{ABSENT}')"
        return f"coalesce({self._comment(key.attribute)}, '{ABSENT}')"

    def _of_word(self, key: GroupKey, word: str) -> str:
        if key.attribute.startswith("misc."):
            alias = self._alias()
            self.parameters.append(key.attribute.removeprefix("misc.").strip('"'))
            entries = "SELECT sid, id, string_agg(value, ',' ORDER BY value) AS value FROM misc WHERE key = ?"
            self.joins.append(
                f"LEFT JOIN ({entries} GROUP BY sid, id) AS {alias} ON {alias}.sid = f.sid AND {alias}.id = {word}"
            )
            return f"{alias}.value"
        alias = self._alias()
        self.joins.append(f"LEFT JOIN tokens AS {alias} ON {alias}.sid = f.sid AND {alias}.id = {word}")
        if key.attribute in (*WORD_STRINGS, *LOWERED.values()):
            return f"{alias}.{key.attribute}"
        self.features.append(key.attribute)
        quoted = identifier(f"{FEATURE}{key.attribute}").replace('"', '""')
        return f'{alias}."{quoted}"'

    def _sentence(self) -> str:
        alias = self._alias()
        self.joins.append(f"LEFT JOIN sentences AS {alias} ON {alias}.sid = f.sid")
        return alias

    def _comment(self, key: str) -> str:
        query, parameters = metadata_query(key, "all")
        alias = self._alias()
        self.parameters += parameters
        self.joins.append(f"LEFT JOIN ({query}) AS {alias} ON {alias}.sid = f.sid")
        return f"{alias}.value"

    def _alias(self) -> str:
        return f"t{next(self._numbers)}"
