"""Build the index of a store: sorted copies of its words, in bounded memory."""
