"""The user's cache folder. It only saves time: no result depends on its contents."""

from __future__ import annotations

from pathlib import Path


def cache_folder() -> Path:
    """Return the user's cache folder for fictc, which may be missing or not writable."""
    from platformdirs import user_cache_path

    return user_cache_path("fictc")
