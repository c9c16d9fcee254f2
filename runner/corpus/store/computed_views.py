"""Create views of word attributes that each query computes from a store's files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fictdsl.schema import MULTIWORD_LINE, feats_key
from runner.corpus.store.session import quote_identifier, quote_literal, read_parquet, sid_condition

if TYPE_CHECKING:
    import duckdb


def create_token_view(connection: duckdb.DuckDBPyConnection, files: Sequence[Path], sids: Sequence[int] | None) -> None:
    """Create the view `token` of the words in multiword tokens: sid, id, and the form of the token as `value`."""
    where = "" if sids is None else f"WHERE {sid_condition(sids)}"
    connection.execute(f"""
        CREATE OR REPLACE TEMP VIEW token AS
        SELECT sid, unnest(range(ends[1], ends[2] + 1))::INTEGER AS id, nfc_normalize(form) AS value
        FROM (SELECT sid, cells[2] AS form, string_split(cells[1], '-')::INTEGER[] AS ends
              FROM (SELECT sid, string_split(line, chr(9)) AS cells
                    FROM (SELECT sid, unnest(regexp_extract_all(conllu, {quote_literal(MULTIWORD_LINE)}, 1)) AS line
                          FROM {read_parquet(files)} {where})))
    """)  # noqa: S608


def create_feats_view(
    connection: duckdb.DuckDBPyConnection,
    files: Sequence[Path],
    features: Mapping[str, str],
    sids: Sequence[int] | None,
    *,
    mixed: bool,
) -> None:
    """Create the view `feats` of the words with features: sid, id, and the features sorted by name as `value`.

    `features` maps each feature to its column. `mixed` is whether some files lack some of these columns.
    """
    names = sorted(features, key=feats_key)
    entries = [f"{quote_literal(f'{name}=')} || {quote_identifier(features[name])}" for name in names]
    value = f"nullif(concat_ws('|', {', '.join(entries)}), '')" if entries else "NULL::VARCHAR"
    words = read_parquet(files, ", union_by_name = true" if mixed else "")
    where = "" if sids is None else f" AND {sid_condition(sids)}"
    connection.execute(f"""
        CREATE OR REPLACE TEMP VIEW feats AS
        SELECT * FROM (SELECT sid, id, {value} AS value FROM {words}) WHERE value IS NOT NULL{where}
    """)  # noqa: S608
