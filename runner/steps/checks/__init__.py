"""Checks of what a manifest names that need no run: filters are linted, and targets looked up in suites."""
