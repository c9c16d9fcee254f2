"""From a manifest to a report."""
