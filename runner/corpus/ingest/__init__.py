"""Import CoNLL-U: parallel parsing, and the Parquet files of a store."""
