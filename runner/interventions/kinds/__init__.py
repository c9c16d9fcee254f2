"""One module for each intervention, with its keys, checks, content, description and application."""
