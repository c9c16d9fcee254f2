"""Trees of sentences that were made from templates, read back by such templates. `docs/trees.md` has the format."""
