"""Generate text to inject: documents with a target sentence of a paradigm, from templates or an endpoint."""
