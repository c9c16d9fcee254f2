"""Compute log-probabilities and surprisals under one convention."""
