"""Positions of keys in TOML text, and tables and strings of a parsed manifest that may be invalid."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fictdsl.diagnostics.suggest import nearest
from fictdsl.source import Span

KeyPath = tuple[str | int, ...]

_HEADER = re.compile(r"^\s*(\[\[|\[)\s*([^\]]+?)\s*\]{1,2}")
_KEY = re.compile(r"""\s*((?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*=""")
_TOKEN = re.compile(
    r'''"""(?:\\.|[^\\])*?"""|\'{3}.*?\'{3}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|\#[^\n]*|[][{},]|\n''', re.DOTALL
)
_KEY_PART = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*(?:\.|$)""")


def _key_parts(dotted: str) -> list[str]:
    return [basic or literal or bare for basic, literal, bare in _KEY_PART.findall(dotted)]


def key_positions(text: str) -> dict[KeyPath, Span]:
    """Map the path of each key and table, such as `("model", 0, "preset")`, to its span or its header's.

    Some keys are missing: use `nearest_span`.
    """
    spans: dict[KeyPath, Span] = {}
    table_counts: dict[KeyPath, int] = defaultdict(int)
    prefix: KeyPath = ()
    for offset in _line_starts(text):
        line = text[offset:].partition("\n")[0]
        if header := _HEADER.match(line):
            prefix = _table_path(_key_parts(header[2]), table_counts)
            span = Span(offset + header.start(1), offset + header.end())
            if header[1] == "[[":
                prefix = (*prefix, table_counts[prefix])
                table_counts[prefix[:-1]] += 1
                spans.setdefault(prefix[:-1], span)
            spans[prefix] = span
        elif key := _KEY.match(line):
            path = (*prefix, *_key_parts(key[1]))
            spans[path] = Span(offset + key.start(1), offset + key.end(1))
            spans.update(_inline_keys(text, offset + key.end(), path))
    return spans


def _inline_keys(text: str, start: int, path: KeyPath) -> Iterator[tuple[KeyPath, Span]]:
    """Yield the path and the span of each key of the inline tables in the value at `path` that begins at `start`."""
    containers: list[tuple[KeyPath, int | None]] = []
    for token in _TOKEN.finditer(text, start):
        match token[0]:
            case "\n" | "," | "]" | "}" if not containers:
                return
            case "[":
                containers.append((path, 0))
                path = (*path, 0)
            case "{":
                containers.append((path, None))
            case "]" | "}":
                path, _ = containers.pop()
            case ",":
                parent, index = containers[-1]
                if index is not None:
                    containers[-1] = parent, index + 1
                    path = (*parent, index + 1)
        if token[0] in ("{", ",") and containers[-1][1] is None and (key := _KEY.match(text, token.end())):
            path = (*containers[-1][0], *_key_parts(key[1]))
            yield path, Span(key.start(1), key.end(1))


def _line_starts(text: str) -> Iterator[int]:
    """Yield the offsets of the lines that do not begin inside a string, an array or an inline table."""
    yield 0
    depth = 0
    for token in _TOKEN.finditer(text):
        if token[0] in ("[", "{"):
            depth += 1
        elif token[0] in ("]", "}"):
            depth = max(0, depth - 1)
        elif token[0] == "\n" and not depth:
            yield token.end()


def _table_path(parts: Sequence[str], table_counts: Mapping[KeyPath, int]) -> KeyPath:
    path: KeyPath = ()
    for part in parts[:-1]:
        path = (*path, part)
        if count := table_counts.get(path):
            path = (*path, count - 1)
    return (*path, parts[-1])


def toml_error(text: str, error: ValueError) -> tuple[Span, str]:
    position = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
    reason = re.sub(r"\s*\(at .*\)$", "", str(error))
    reason = "the line ends inside a string" if reason == r"Illegal character '\n'" else reason
    reason = reason[:1].lower() + reason[1:]
    if position is None:
        return Span(len(text), len(text)), reason
    lines = text.split("\n")
    offset = sum(len(line) + 1 for line in lines[: int(position[1]) - 1]) + int(position[2]) - 1
    return Span(offset, offset + 1), reason


def nearest_span(spans: dict[KeyPath, Span], path: KeyPath) -> Span:
    """Return the span of `path` or of its nearest parent with a span. If none has one, return the start of the text."""
    while path and path not in spans:
        path = path[:-1]
    return spans.get(path, Span(0, 0))


def key_hint(key: str, known: Iterable[str]) -> str:
    suggestion = nearest(key, known := list(known))
    return f"the nearest key is `{suggestion}`" if suggestion else f"known keys: {', '.join(known)}"


def entries(raw: Any) -> list[tuple[int, dict[str, Any]]]:
    return [(i, entry) for i, entry in enumerate(raw) if isinstance(entry, dict)] if isinstance(raw, list) else []


def strings(raw: Any) -> list[tuple[int, str]]:
    return [(i, item) for i, item in enumerate(raw) if isinstance(item, str)] if isinstance(raw, list) else []


def nested(raw: Any, path: str) -> Any:
    for key in path.split("."):
        raw = raw.get(key) if isinstance(raw, dict) else None
    return raw
