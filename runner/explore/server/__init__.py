"""The web server of the explorer: who may ask, what may be asked, and the page."""
