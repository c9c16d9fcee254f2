"""TOML text to the line and column of every key, which the standard parser does not tell."""

from __future__ import annotations

import re
from collections import defaultdict

from fictdsl.source import Span

Path = tuple[str | int, ...]

_HEADER = re.compile(r"^\s*(\[\[|\[)\s*([^\]]+?)\s*\]")
_KEY = re.compile(r"""^\s*((?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*=""")
_INLINE_KEY = re.compile(r"""(?:[{,]\s*)([A-Za-z0-9_-]+)\s*=""")
_PART = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*(?:\.|$)""")


def _parts(dotted: str) -> list[str]:
    return [a or b or c for a, b, c in _PART.findall(dotted)]


def key_positions(text: str) -> dict[Path, Span]:
    """Map each key's path (`("model", 0, "preset")`) to the span of the key in `text`.

    Keys of inline tables on one line are found too; what cannot be placed is left to the nearest parent.
    """
    spans: dict[Path, Span] = {}
    counts: dict[Path, int] = defaultdict(int)
    prefix: Path = ()
    offset = 0
    for line in text.splitlines(keepends=True):
        if header := _HEADER.match(line):
            prefix = tuple(_parts(header[2]))
            if header[1] == "[[":
                prefix = (*prefix, counts[prefix])
                counts[prefix[:-1]] += 1
                spans.setdefault(prefix[:-1], Span(offset + header.start(2), offset + header.end(2)))
            spans[prefix] = Span(offset + header.start(2), offset + header.end(2))
        elif key := _KEY.match(line):
            path = (*prefix, *_parts(key[1]))
            spans[path] = Span(offset + key.start(1), offset + key.end(1))
            for inner in _INLINE_KEY.finditer(line, key.end()):
                spans[(*path, inner[1])] = Span(offset + inner.start(1), offset + inner.end(1))
        offset += len(line)
    return spans


def toml_error(text: str, error: ValueError) -> tuple[Span, str]:
    """Where TOML breaks, and why, from what the standard parser says of it."""
    place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
    reason = re.sub(r"\s*\(at .*\)$", "", str(error))
    reason = "the line ends inside a string" if reason == r"Illegal character '\n'" else reason
    reason = reason[:1].lower() + reason[1:]
    if place is None:
        return Span(len(text), len(text)), reason
    lines = text.split("\n")
    offset = sum(len(line) + 1 for line in lines[: int(place[1]) - 1]) + int(place[2]) - 1
    return Span(offset, offset + 1), reason


def nearest_span(spans: dict[Path, Span], path: Path) -> Span:
    """The span of `path`, or of its nearest parent that has one; the start of the text if none has."""
    while path and path not in spans:
        path = path[:-1]
    return spans.get(path, Span(0, 0))
