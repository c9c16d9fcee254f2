"""What a store's folder holds, as far as its readers need to know: nothing here loads a library."""

from __future__ import annotations

SCHEMA_VERSION = 1
TABLES = ("tokens", "misc", "meta", "enhanced", "sentences", "raw")  # each a folder with a file for each chunk
FEATURE = "feat_"  # begins the columns of features
