"""Training: encode text, train a model on it, and save checkpoints."""
