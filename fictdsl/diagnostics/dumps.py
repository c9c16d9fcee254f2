"""Plain data into JSON that every reader takes: ASCII, and no lone surrogates."""

from __future__ import annotations

import json
import re

# A backslash that is text, a pair of surrogates, or a lone one.
_ESCAPES = re.compile(r"(\\\\|\\ud[89ab]..\\ud[c-f]..)|\\ud[89a-f]..")


def dumps(value: object) -> str:
    """Indented JSON. A lone surrogate, which many readers refuse, becomes U+FFFD."""
    return _ESCAPES.sub(lambda match: match[1] or "\\ufffd", json.dumps(value, indent=2))
