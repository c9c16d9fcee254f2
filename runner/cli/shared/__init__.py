"""Messages, progress, filters and exit codes shared by commands."""
