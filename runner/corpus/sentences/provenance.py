"""Read the provenance of the sentences of a store: source, number, sent_id, document and comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query

if TYPE_CHECKING:
    import duckdb

COMMENT = pa.struct([("key", pa.string()), ("value", pa.string())])
PROVENANCE = pa.schema(
    [
        ("source", pa.string()),
        ("number", pa.int64()),
        ("sent_id", pa.string()),
        ("document", pa.string()),
        ("metadata", pa.list_(COMMENT)),
    ]
)
_QUERY = """
SELECT s.source, s.number, s.sent_id, s.doc AS document, coalesce(m.metadata, []) AS metadata
FROM sentences AS s LEFT JOIN (
  SELECT sid, list({'key': key, 'value': coalesce(value, '')} ORDER BY key, value) AS metadata
  FROM meta WHERE key NOT IN ('sent_id', 'text', 'newdoc', 'newdoc id') GROUP BY sid
) AS m USING (sid)
ORDER BY s.sid
"""


def read_provenance(store: Store) -> pa.Table:
    """Return a table with the schema `PROVENANCE` and a row for each sentence, in corpus order.

    `metadata` has all comments except `sent_id`, `text`, `newdoc` and `newdoc id`, sorted. Repeated comments are kept.
    """

    def work(connection: duckdb.DuckDBPyConnection) -> pa.Table:
        return connection.sql(_QUERY).to_arrow_table()

    return run_query(store, work, tables=["sentences", "meta"]).cast(PROVENANCE)
