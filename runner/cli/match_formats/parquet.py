"""The format `parquet`: the table of `tsv` as a Parquet file."""

from __future__ import annotations

from runner.cli.match_formats import MatchRequest

HELP = "the table of tsv as a Parquet file"
NEEDS_FILE = True


def write(request: MatchRequest) -> None:
    import pyarrow.parquet as pq

    from runner.workspace import atomic_write

    assert request.output is not None
    tables = request.engine.by_sentence(request.filters, request.labels)
    with atomic_write(request.output) as temp:
        first_table = next(tables)
        with pq.ParquetWriter(temp, first_table.schema, write_page_checksum=True) as writer:
            writer.write_table(first_table)
            for table in tables:
                writer.write_table(table)
