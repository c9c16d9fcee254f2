"""Run one cell of an experiment: train a model and score it."""
