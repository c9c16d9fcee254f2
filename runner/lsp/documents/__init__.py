"""Open documents and their diagnostics."""
