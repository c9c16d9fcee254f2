"""Rules about names, imports and comments that have no effect."""
