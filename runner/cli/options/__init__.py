"""Options shared by commands, and their types."""
