"""The instruction that is shown if a package of an optional extra is missing."""

from __future__ import annotations


def install_hint(extra: str) -> str:
    """Return an instruction to install an extra, such as "corpus", without a full stop."""
    return f"install fictc with the extra `{extra}`, such as by `pip install '.[{extra}]'` in a clone"
