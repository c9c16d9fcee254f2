"""The explorer: a local web page that searches stores, draws matches and counts them."""
