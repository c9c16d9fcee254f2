"""Results as read from a run's folder, scores of saved models, or a CSV table."""
