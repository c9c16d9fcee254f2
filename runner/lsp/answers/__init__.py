"""Answer requests: hover, definition, rename, code actions."""
