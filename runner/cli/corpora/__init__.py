"""Commands that create, change and export corpora."""
