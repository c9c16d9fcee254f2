"""Statistics as typed tables, the source of page, CSV and JSON."""
