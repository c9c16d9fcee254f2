"""Translate queries of other tools, Grew requests and Semgrex patterns, to filters."""
