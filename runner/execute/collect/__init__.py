"""Collect the results of finished cells in the run folder."""
