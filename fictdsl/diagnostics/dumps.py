"""Serialize data as JSON that every reader accepts: ASCII, without lone surrogates."""

from __future__ import annotations

import json
import re

# An escaped backslash, a surrogate pair, or a lone surrogate.
_ESCAPES = re.compile(r"(\\\\|\\ud[89ab]..\\ud[c-f]..)|\\ud[89a-f]..")


def dumps(value: object) -> str:
    """Return indented JSON. Lone surrogates, which many readers reject, become U+FFFD."""
    return _ESCAPES.sub(lambda match: match[1] or "\\ufffd", json.dumps(value, indent=2))
