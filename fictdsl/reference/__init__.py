"""The oracle: an interpreter in plain Python that evaluates the syntax tree of a filter."""
