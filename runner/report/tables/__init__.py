"""Statistics as typed tables."""
