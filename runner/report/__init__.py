"""Scores to tables, figures and one page."""
