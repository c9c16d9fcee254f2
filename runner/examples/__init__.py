"""Example sentences beside filter files: reading, running and adding them."""
