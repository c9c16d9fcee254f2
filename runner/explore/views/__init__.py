"""The markup of rows, drawings and tables; all text is escaped."""
