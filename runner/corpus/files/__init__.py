"""Read corpus files in blocks and pieces, within limits."""
