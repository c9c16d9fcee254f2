"""Check what a manifest names without a run: lint its filters, and look up targets in suites."""
