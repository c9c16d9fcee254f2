"""Options, messages and progress shared by commands."""
