"""The Language Server Protocol: messages, types, sessions."""
