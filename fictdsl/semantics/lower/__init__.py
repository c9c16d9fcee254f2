"""Lowering of checked filters to the core language."""
