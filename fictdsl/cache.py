"""The folder of the user's cache that has what is quicker read again than made again; nothing depends on it."""

from __future__ import annotations

from pathlib import Path


def cache_folder() -> Path:
    """That folder, which may not be there, or not be one that can be written to."""
    from platformdirs import user_cache_path

    return user_cache_path("fictc")
