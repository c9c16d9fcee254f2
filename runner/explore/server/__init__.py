"""The web server of the explorer: the check of requests, the endpoints, and the page."""
