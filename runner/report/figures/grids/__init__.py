"""Grids of paradigms by conditions: their rows, columns, cells and colours, and their forms for narrow screens."""
