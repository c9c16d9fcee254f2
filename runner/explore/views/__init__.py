"""HTML markup of rows, drawings and tables. All text is escaped."""
