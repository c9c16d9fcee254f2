"""The layout of a store's folder; imports nothing, so that readers start fast."""

from __future__ import annotations

SCHEMA_VERSION = 3
OLDER = (1, 2)  # versions that can be upgraded
TABLES = ("tokens", "misc", "meta", "enhanced", "sentences", "raw")  # each a folder with a file for each chunk
VALUES = "values/00000.parquet"  # counts of the values of the columns in COUNTED, and of features
COUNTED = ("upos", "xpos", "deprel", "form_l", "lemma_l")
LENGTHS = {"form_len": "form", "lemma_len": "lemma"}  # columns of the view `tokens` that are computed on demand
ROW_GROUP = 122_880  # DuckDB's default: one thread reads one row group
FREQUENT = 1_000  # the number of values per column that store.json lists with their counts
