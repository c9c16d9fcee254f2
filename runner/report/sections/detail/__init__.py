"""Sections that a report has only if its results have content for them."""
