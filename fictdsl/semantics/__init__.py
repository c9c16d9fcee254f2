"""Syntax tree to a core language in which every name is bound."""
