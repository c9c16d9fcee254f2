"""Answers to requests: hover, definition, rename, code actions."""
