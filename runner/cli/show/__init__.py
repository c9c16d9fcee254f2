"""`fictc show`: matches in context, trees, counts, near misses."""
