"""The report as HTML page, text and JSON."""
