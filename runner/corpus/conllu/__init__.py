"""Read and validate CoNLL-U by columns."""
