"""The explorer: a page on the user's machine that searches stores, draws matches and counts them."""
