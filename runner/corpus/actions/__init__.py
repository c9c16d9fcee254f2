"""Apply the actions of filters: remove or mask words, drop sentences."""
