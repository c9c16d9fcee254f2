"""Statistics as typed tables, from which the page, CSV and JSON are made."""
