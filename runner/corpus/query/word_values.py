"""Read the values that an attribute of a bound word has in the matches of each sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from runner.corpus.query.matches import match
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query

if TYPE_CHECKING:
    import duckdb

    from fictdsl.compiler import CompiledFilter

Attribute: TypeAlias = Literal["form", "lemma", "upos", "xpos", "deprel"]


def values_by_sentence(store: Store, compiled: CompiledFilter, name: str, attribute: Attribute) -> dict[int, set[str]]:
    """Return the values of an attribute of the word bound to `name`, over all matches of each sentence, by sid.

    A match has no value if it does not bind the name, or if the word does not have the attribute.
    """
    matches, column = match(store, compiled), f"m{compiled.names.index(name)}"
    query = (
        f"SELECT DISTINCT t.sid, t.{attribute} FROM match_rows AS f "  # noqa: S608
        f"JOIN tokens AS t ON t.sid = f.sid AND t.id = f.{column} WHERE t.{attribute} IS NOT NULL"
    )

    def work(connection: duckdb.DuckDBPyConnection) -> list[tuple[int, str]]:
        connection.register("match_rows", matches)
        return connection.execute(query).fetchall()

    values: dict[int, set[str]] = {}
    for sid, value in run_query(store, work, tables=["tokens"]):
        values.setdefault(sid, set()).add(value)
    return values
