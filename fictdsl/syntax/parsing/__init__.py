"""Parsing of `.fict` files, with the files and word lists that they use."""
