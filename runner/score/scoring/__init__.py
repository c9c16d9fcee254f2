"""Computation of log-probabilities and surprisals under one scoring convention."""
