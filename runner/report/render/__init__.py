"""Formatting of numbers, SVG shapes and axes."""
