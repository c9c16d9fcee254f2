"""Sections on rewritten, injected and substituted text. A report has them only if its conditions have such text."""
