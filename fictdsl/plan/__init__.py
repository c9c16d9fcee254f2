"""Core language to relational plan."""
