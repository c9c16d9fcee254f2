"""The documents open in an editor, and their diagnostics."""
