"""Run compiled filters on a store: matches, counts, groups, near misses."""
