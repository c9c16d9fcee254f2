"""Benchmarks of fictc and of comparable tools; `python -m benchmarks` prints Markdown tables."""
