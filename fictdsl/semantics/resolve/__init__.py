"""Name resolution (FICT2xx)."""
