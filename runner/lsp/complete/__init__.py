"""Complete what may be written at a position."""
