"""Tables as displayed on the page."""
