"""Rewrites of the plan, in order."""
