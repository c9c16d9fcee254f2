"""Doing what a plan says: prepare corpora, run cells in processes of their own, collect results."""
