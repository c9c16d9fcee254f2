"""Lint rules: constructs that are legal but probably a mistake."""
