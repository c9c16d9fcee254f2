"""SQL generation from plans, for each dialect."""
