"""Read sentences from a store: arrays, text, CoNLL-U, metadata."""
