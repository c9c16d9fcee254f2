"""Score a model on a suite, and keep the scores."""
