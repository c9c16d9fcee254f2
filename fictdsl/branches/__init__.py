"""Which parts of a filter its examples exercise."""
