"""Group the sentences of a store by a key of metadata. The groups are sub-corpora."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from runner.corpus.sentences.metadata_sql import metadata_query, sentence_metadata_query
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query
from runner.errors import InputError

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

COLUMN_KEYS = ("source", "doc", "sent_id")  # keys that are columns of `sentences`

_COLUMN_QUERY = 'SELECT sid, "{key}" AS value FROM sentences'
_COMMENT_QUERY = "SELECT s.sid, m.value FROM sentences s LEFT JOIN ({query}) m USING (sid)"


@dataclass(frozen=True)
class Groups:
    """Sub-corpora by the values of `key`. A sentence without a value belongs to no sub-corpus.

    `rows` has the columns `sid` and `grp`, the index of the sentence's sub-corpus.
    """

    key: str
    names: tuple[str, ...]
    sentences: tuple[int, ...]
    rows: pa.Table
    sentences_without_value: int


def whole_corpus(store: Store) -> Groups:
    """Return the whole corpus as the only sub-corpus."""
    query = "SELECT sid, 0::INTEGER AS grp FROM sentences"
    rows = run_query(store, lambda connection: connection.sql(query).to_arrow_table(), tables=["sentences"])
    return Groups("", ("all",), (rows.num_rows,), rows, 0)


def read_groups(store: Store, key: str, until: str | None = None) -> Groups:
    """Group sentences by `source`, `doc`, `sent_id` or the first value of a comment.

    With `until`, a value is cut before the first occurrence of `until`. A comment `meta::…` applies to its whole
    document. The sub-corpora are sorted by code point. Raises InputError (FICT797) if no sentence has a value.
    """
    # a genre must be declared: it is not derived from the name of the document
    query, parameters = sentence_metadata_query(key) if key == "genre" else metadata_query(key)

    def work(connection: duckdb.DuckDBPyConnection) -> tuple[list[tuple[str | None, int]], pa.Table]:
        if key in COLUMN_KEYS:
            connection.execute(f"CREATE TEMP TABLE valued AS {_COLUMN_QUERY.format(key=key)}")
        else:
            connection.execute(f"CREATE TEMP TABLE valued AS {_COMMENT_QUERY.format(query=query)}", parameters)
        value = "value" if until is None else "split_part(value, $until, 1)"
        values = {} if until is None else {"until": until}
        connection.execute(f"CREATE TEMP TABLE cut AS SELECT sid, {value} AS value FROM valued", values)  # noqa: S608
        counts = connection.execute("SELECT value, count(*) FROM cut GROUP BY value ORDER BY value").fetchall()
        if all(name is None for name, _ in counts):
            comments = connection.execute("SELECT DISTINCT key FROM meta ORDER BY key").fetchall()
            known = list(dict.fromkeys([*COLUMN_KEYS, *(comment for (comment,) in comments)]))
            hint = did_you_mean(key, known) or f"there is {', '.join(f'`{comment}`' for comment in known[:12])}"
            if key == "genre" and (separator := _separator_in_documents(connection)):
                hint = f"`--by doc --until {separator}` groups by the first part of the documents' names"
            raise InputError(diagnostic("FICT797", key=key, path=store.path, hint=hint))
        rows = connection.sql(
            "SELECT sid, grp FROM cut JOIN (SELECT value, (row_number() OVER (ORDER BY value) - 1)::INTEGER AS grp "
            "FROM (SELECT DISTINCT value FROM cut WHERE value IS NOT NULL)) USING (value)"
        ).to_arrow_table()
        return counts, rows

    counts, rows = run_query(store, work, tables=["sentences", "meta"])
    sizes = {name: count for name, count in counts if name is not None}
    names = tuple(sizes)
    sentences_without_value = sum(count for name, count in counts if name is None)
    return Groups(key, names, tuple(sizes.values()), rows, sentences_without_value)


def _separator_in_documents(connection: duckdb.DuckDBPyConnection) -> str | None:
    """Return the separator after the first part of the first document's name, as in `weblog-blogspot.com`, or None."""
    separator = "nullif(regexp_extract(doc, '^[^-_]+([-_])', 1), '')"
    query = f"SELECT {separator} FROM sentences WHERE doc IS NOT NULL ORDER BY sid LIMIT 1"  # noqa: S608
    row = connection.execute(query).fetchone()
    return None if row is None else row[0]


def select_groups(groups: Groups, names: tuple[str, ...]) -> Groups:
    """Return some of the sub-corpora, in the order of `names`. Raises InputError (FICT798) if one does not exist."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for name in names:
        if name not in groups.names:
            hint = did_you_mean(name, groups.names) or f"there is {', '.join(groups.names[:12])}"
            raise InputError(diagnostic("FICT798", value=name, key=groups.key, hint=hint))
    indices = [groups.names.index(name) for name in names]
    new_groups = pc.index_in(groups.rows["grp"], value_set=pa.array(indices, groups.rows["grp"].type))
    rows = groups.rows.set_column(1, "grp", new_groups).filter(pc.is_valid(new_groups))
    return Groups(
        groups.key, names, tuple(groups.sentences[index] for index in indices), rows, groups.sentences_without_value
    )
