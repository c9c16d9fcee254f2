"""Prepare what cells read: corpora, tokenizers, suites."""
