"""Language models: architectures, tokenizers, token files, batches and losses."""
