"""Semantic analysis: name resolution, checks, and lowering to the core language."""
