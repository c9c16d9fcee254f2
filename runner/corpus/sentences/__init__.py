"""Read the sentences of a store: arrays, text, CoNLL-U, metadata."""
