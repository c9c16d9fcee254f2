"""Hypothesis strategies: treebanks, and filters that are well-typed by construction."""
