"""Diagnostics as values, their catalogue, and how they are shown."""
