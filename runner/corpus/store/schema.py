"""What a store's folder holds, as far as its readers need to know: nothing here loads a library."""

from __future__ import annotations

SCHEMA_VERSION = 3
OLDER = (1, 2)  # versions that can be upgraded
TABLES = ("tokens", "misc", "meta", "enhanced", "sentences", "raw")  # each a folder with a file for each chunk
VALUES = "values/00000.parquet"  # how often each value occurs of these columns, and of features
COUNTED = ("upos", "xpos", "deprel", "form_l", "lemma_l")
LENGTHS = {"form_len": "form", "lemma_len": "lemma"}  # columns of `tokens` that are computed when they are asked for
ROW_GROUP = 122_880  # DuckDB's own size: one thread reads one row group
FREQUENT = 1_000  # values of one column that are listed with their counts in store.json
