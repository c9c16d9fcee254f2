"""Tables as shown on the page."""
