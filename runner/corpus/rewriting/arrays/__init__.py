"""Reorder whole sentences, many at a time: words, their new order, and the new texts as arrays."""
