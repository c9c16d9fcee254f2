"""Commands that create, change and write corpora."""
