"""Checks of types, values and sizes in a resolved module (FICT3xx, FICT4xx)."""
