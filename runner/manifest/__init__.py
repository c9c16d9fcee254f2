"""The experiment as written: TOML to a checked model."""
