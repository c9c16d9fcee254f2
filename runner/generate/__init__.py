"""Text to inject: documents with a sentence of a paradigm among plain ones, from templates or from an endpoint."""
