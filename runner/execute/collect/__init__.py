"""Collect the results of finished cells in the folder of a run."""
