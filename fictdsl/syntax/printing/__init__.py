"""Format a syntax tree as its canonical text."""
