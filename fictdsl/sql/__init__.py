"""SQL generation from plans, for DuckDB and Spark."""
