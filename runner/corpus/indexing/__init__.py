"""Build the index of a store: sorted copies of its words, in memory that grows only with the vocabulary."""
