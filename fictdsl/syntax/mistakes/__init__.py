"""Explanations of syntax errors."""
