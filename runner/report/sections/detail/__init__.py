"""Sections of some reports: they exist only where the results have content for them."""
