"""Resolve the names of a module (FICT2xx)."""
