"""Commands on `.fict` files alone: lint, format, compile, explain."""
