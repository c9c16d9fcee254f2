"""Statistics of a corpus and its parts: frequencies, association, divergence, overlap."""
