"""A store's words into sorted copies of their rows, in memory that does not grow with the store."""
