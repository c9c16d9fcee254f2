"""Grids of paradigms by conditions: their rows, columns, cells and colours."""
