"""Legal, and probably not what was meant."""
