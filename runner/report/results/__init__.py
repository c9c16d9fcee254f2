"""Results, read from the folder of a run, from scores of saved models, or from a CSV table."""
