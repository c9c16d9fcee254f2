"""`fictc stats`: frequencies, divergence, co-occurrence, overlap."""
