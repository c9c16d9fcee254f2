"""Parse a `.fict` file with the files and word lists that it reads."""
