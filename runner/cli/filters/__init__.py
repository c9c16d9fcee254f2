"""Commands on `.fict` files: lint, format, compile, explain."""
