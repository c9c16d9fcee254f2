"""Generate phrases, clauses and sentences."""
