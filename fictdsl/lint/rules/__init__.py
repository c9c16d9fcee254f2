"""The lint rules, one per module, grouped by topic."""
