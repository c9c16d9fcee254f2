"""The oracle: what a filter means, in plain Python over the syntax tree."""
