"""The language server: pure functions of texts and positions, and the protocol around them."""
