"""Sections on rewritten, injected and substituted text, which a report has only if its conditions do."""
