"""Text to a trained checkpoint."""
