"""Read files and characters, before any grammar."""
