"""Plan to SQL text."""
