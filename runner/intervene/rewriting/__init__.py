"""Rewrites as edits, their random controls, and how their texts differ."""
