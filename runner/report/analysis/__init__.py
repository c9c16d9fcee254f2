"""Compute statistics from results."""
