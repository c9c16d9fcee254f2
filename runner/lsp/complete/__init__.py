"""Completion at a position of a text."""
