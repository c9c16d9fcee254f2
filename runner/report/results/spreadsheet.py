"""CSV whose cells spreadsheets do not evaluate as formulas (OWASP, CSV injection)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable

_FORMULA = re.compile(r"'*(\s*[=+\-@]|[\t\r])")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf|nan")


def quote(text: str) -> str:
    """Return the text, prefixed with `'` if a spreadsheet would evaluate it as a formula. Numbers are not prefixed.

    A text that already has the prefix gets another one, so that `unquote` restores every text.
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def unquote(text: str) -> str:
    """Undo `quote`."""
    return text[1:] if text.startswith("'") and quote(text[1:]) == text else text


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return the rows as CSV (RFC 4180) with LF line ends.

    Text is quoted by `quote`. None is an empty cell, and floats have full precision.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([quote(value) if isinstance(value, str) else value for value in row] for row in rows)
    return out.getvalue()
