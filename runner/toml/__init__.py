"""TOML documents: the base class of tables, the positions of keys, and values that may be invalid."""
