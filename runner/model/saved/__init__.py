"""Models on disk: weights, tokenizer, training metadata, and loading for further training."""
