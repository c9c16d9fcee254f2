"""The report as an HTML page, as text and as JSON."""
