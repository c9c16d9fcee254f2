"""The folder of the user's cache that has what is quicker read again than made again; nothing depends on it."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def cache_folder() -> Path | None:
    """That folder, made if need be; None where it cannot be."""
    from platformdirs import user_cache_path

    try:
        return user_cache_path("fictc", ensure_exists=True)
    except OSError:
        return None
