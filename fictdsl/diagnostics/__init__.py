"""Diagnostics, the catalogue of their codes, and renderers."""
