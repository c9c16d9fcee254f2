"""Lower a checked filter to the core language."""
