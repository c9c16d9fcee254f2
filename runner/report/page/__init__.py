"""The report's page, text and JSON."""
