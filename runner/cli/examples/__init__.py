"""`fictc test`: the examples of a filter, and how they are accepted and judged."""
