"""Score a model on a suite, and store the scores."""
