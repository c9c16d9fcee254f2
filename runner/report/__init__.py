"""The report of a run's results: statistics, tables, figures and the HTML page."""
