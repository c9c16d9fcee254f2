"""CSV tables whose text a spreadsheet must show, not run as a formula (OWASP, CSV injection)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable

_FORMULA = re.compile(r"'*(\s*[=+\-@]|[\t\r])")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf|nan")


def cell(text: str) -> str:
    """Return the text, with `'` before it if a spreadsheet would run it; a number stays a number.

    A text that would look quoted gets a further `'`, so that `plain` returns every text as it was.
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def plain(text: str) -> str:
    """Return the text that `cell` was given."""
    return text[1:] if text.startswith("'") and cell(text[1:]) == text else text


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return the rows as RFC 4180, lines ended by `\\n`.

    Text is as `cell` returns it, None is an empty cell, and floats have all their digits.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([cell(value) if isinstance(value, str) else value for value in row] for row in rows)
    return out.getvalue()
