"""Corpora: import, annotate, store, match, export."""
