"""Import CoNLL-U: parse in parallel, and write the Parquet files of a store."""
