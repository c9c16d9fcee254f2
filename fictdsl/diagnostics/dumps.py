"""JSON that every reader accepts (ASCII, without lone surrogates), and objects without a key twice."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

from fictdsl.diagnostics.display import quotation

# An escaped backslash, a surrogate pair, or a lone surrogate.
_ESCAPES = re.compile(r"(\\\\|\\ud[89ab]..\\ud[c-f]..)|\\ud[89a-f]..")


def dumps(value: object) -> str:
    """Return indented JSON. Lone surrogates, which many readers reject, become U+FFFD."""
    return _ESCAPES.sub(lambda match: match[1] or "\\ufffd", json.dumps(value, indent=2))


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object, as `object_pairs_hook` of `json.loads`.

    Raises JSONDecodeError if the object has a key twice, of which Python would keep the last.
    """
    content = dict(pairs)
    if len(content) < len(pairs):
        repeated, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise json.JSONDecodeError(f"an object has the key `{quotation(repeated)}` twice", "", 0)
    return content
