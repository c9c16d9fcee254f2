"""How fast fictc is, measured beside its peers in one run; `python -m benchmarks` prints Markdown tables."""
