"""Cells of CSV tables that a spreadsheet must show as text, not run as a formula (OWASP, CSV injection)."""

from __future__ import annotations

import re

_FORMULA = re.compile(r"\s*[=+\-@]|[\t\r]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf|nan")


def cell(text: str) -> str:
    """Return the text, with `'` before it if a spreadsheet would run it; a number stays a number."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text
