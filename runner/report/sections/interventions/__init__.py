"""Sections on rewritten, injected and substituted text: they exist only where conditions have it."""
