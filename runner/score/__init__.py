"""A model and minimal pairs to scores."""
