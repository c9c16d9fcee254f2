"""The web server of the explorer: request checks, endpoints, and the page."""
