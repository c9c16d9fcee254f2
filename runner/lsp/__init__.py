"""What an editor asks about filters, answered: pure functions of texts and places, and the server that wires them."""
