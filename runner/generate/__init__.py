"""Generate text to inject: documents with a target sentence of a paradigm, from templates or an endpoint."""

WORDS_PER_TARGET = 330  # about 3,000 target sentences in a million words, as in the targeted-injection paper
MAX_WORDS = 100_000_000
MAX_WORDS_PER_TARGET = 100_000  # a document is in memory
MIN_WORDS_PER_TARGET = 40  # the target sentences of every paradigm fit into the documents
