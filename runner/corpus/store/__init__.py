"""Open a store: its files, checks, limits and DuckDB session."""
