"""SQL expressions for tests, conditions between words, phrases, paths and copied columns."""
