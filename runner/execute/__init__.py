"""Execute a plan: prepare corpora, run each cell in its own process, and collect the results."""
