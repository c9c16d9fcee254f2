"""Experiment manifests: parse TOML and validate it against a Pydantic model."""
