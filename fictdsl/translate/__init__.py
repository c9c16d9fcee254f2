"""Translate Grew requests and Semgrex patterns to filters."""
