"""Statistics, tables, figures and the HTML page of a run's results."""
