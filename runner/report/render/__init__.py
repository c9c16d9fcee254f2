"""Format numbers, shapes and axes."""
