"""How to install fictc with one of its extras; what every message about a missing package says."""

from __future__ import annotations


def how_to_install(extra: str) -> str:
    """Return what to do to have an extra, such as "corpus", as an imperative without a full stop."""
    return f"install fictc with the extra `{extra}`, such as by `pip install '.[{extra}]'` in a clone"
