"""Rules that compare a filter with a corpus."""
