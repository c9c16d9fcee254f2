"""A filter's matches to a table: how many there are for each combination of values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from fictdsl.plan.layout import FEATURE, identifier
from runner.corpus.query.group_keys import COLUMNS, LOWERED, OF_SENTENCES, Key
from runner.corpus.query.matches import match
from runner.corpus.sentences.metadata_sql import metadata_query
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query

if TYPE_CHECKING:
    import duckdb

    from fictdsl.compiler import CompiledFilter

ABSENT, UNBOUND = "_", "(unbound)"


@dataclass(frozen=True, slots=True)
class Row:
    """The values of the keys, how many matches have them, and their share of all matches."""

    values: tuple[str, ...]
    matches: int
    share: float


def clusters(store: Store, compiled: CompiledFilter, keys: Sequence[Key]) -> list[Row]:
    """The table, the most frequent combination first, then by the values.

    An attribute that the word does not have counts as `_`, a name that the match does not bind as `(unbound)`.
    """
    writer = _Writer(compiled.names)
    shown = ", ".join(f"{writer.value(key)} AS k{number}" for number, key in enumerate(keys))
    named = ", ".join(f"k{number}" for number in range(len(keys)))
    query = (
        f"SELECT {named}, count(*) AS n FROM (SELECT {shown} FROM found AS f {' '.join(writer.joins)}) "  # noqa: S608
        f"GROUP BY {named} ORDER BY n DESC, {named}"
    )
    matches = match(store, compiled.statement(layout=store.layout))

    def work(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
        connection.register("found", matches)
        return connection.execute(query, writer.parameters).fetchall()

    rows = run_query(store, work, features=writer.features)
    total = sum(number for *_, number in rows)
    return [Row(tuple(values), number, number / total) for *values, number in rows]


@dataclass
class _Writer:
    """Collects the joins that the keys need; what a user wrote becomes a parameter, never text."""

    names: Sequence[str]
    joins: list[str] = field(default_factory=list)
    parameters: list[str] = field(default_factory=list)
    features: list[str] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=count)

    def value(self, key: Key) -> str:
        """The value as an expression that is never NULL."""
        if key.name is not None:
            word = f"f.m{self.names.index(key.name)}"
            return (
                f"CASE WHEN {word} IS NULL THEN '{UNBOUND}' ELSE coalesce({self._of_word(key, word)}, '{ABSENT}') END"
            )
        if key.what in OF_SENTENCES:
            return f"coalesce({self._sentence()}.{key.what}::VARCHAR, '{ABSENT}')"
        return f"coalesce({self._comment(key.what)}, '{ABSENT}')"

    def _of_word(self, key: Key, word: str) -> str:
        if key.what.startswith("misc."):
            alias = self._alias()
            self.parameters.append(key.what.removeprefix("misc.").strip('"'))
            gathered = "SELECT sid, id, string_agg(value, ',' ORDER BY value) AS value FROM misc WHERE key = ?"
            self.joins.append(
                f"LEFT JOIN ({gathered} GROUP BY sid, id) AS {alias} ON {alias}.sid = f.sid AND {alias}.id = {word}"
            )
            return f"{alias}.value"
        alias = self._alias()
        self.joins.append(f"LEFT JOIN tokens AS {alias} ON {alias}.sid = f.sid AND {alias}.id = {word}")
        if key.what in COLUMNS or key.what in LOWERED.values():
            return f"{alias}.{key.what}"
        self.features.append(key.what)
        quoted = identifier(f"{FEATURE}{key.what}").replace('"', '""')
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
