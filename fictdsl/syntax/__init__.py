"""Parsing and formatting of `.fict` files."""
