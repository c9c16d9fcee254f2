"""Random mutations of bytes, of JSON-like values and of files."""

from __future__ import annotations

import copy
import json
import os
import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

PIECES: tuple[bytes, ...] = (
    *(b"", b"\0", b"\n", b"\r", b"\r\n", b"\t", b" ", b"\x1b[31m", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3\x28"),
    *(b"\xed\xa0\x80", "\u202e".encode(), "\u2028".encode(), "e\u0301".encode(), "\U0001f600".encode()),
    *(b"\\ud800", b"\\u0000", b"-1", b"0", b"9" * 20, b"9" * 5_000, b"1e999", b"NaN", b"-0.0", b"0x10", b"1_000"),
    *(b'"', b"'", b"\\", b"`", b"#", b"=", b",", b";", b"[", b"]", b"{", b"}", b"(", b")", b"|", b"/", b"$", b"%s"),
    *(b"../", b"/etc/passwd", b"~", b"<script>", b"null", b"true", b"[]", b"{}", b"_", b"a" * 300),
)
LARGE: tuple[bytes, ...] = (
    b"[" * 20_000,
    b"(" * 20_000,
    b'{"a":' * 20_000,
    b"a" * 1_000_000,
    b"a\n" * 200_000,
    b"not " * 9_000,
)


def data(rng: random.Random, content: bytes, others: Sequence[bytes] = ()) -> bytes:
    """Return bytes with one to four mutations: bits, cuts, pieces inserted, doubled, moved or taken from `others`."""
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        content = rng.choice(_DAMAGES)(rng, content, others)
    return content


def _bit(rng: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    if not content:
        return content
    at = rng.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :]


def _cut(rng: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    start, end = _run(rng, content)
    return content[:start] if rng.random() < 0.3 else content[:start] + content[end:]


def _insert(rng: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    start, end = _run(rng, content)
    piece = rng.choice(LARGE if rng.random() < 0.02 else PIECES)
    return content[:start] + piece + content[rng.choice([start, end]) :]


def _double(rng: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    start, end = _run(rng, content)
    times = rng.choice([2, 2, 3, 50])
    return content[:start] + content[start:end] * times + content[end:]


def _move(rng: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    start, end = _run(rng, content)
    rest = content[:start] + content[end:]
    at = rng.randint(0, len(rest))
    return rest[:at] + content[start:end] + rest[at:]


def _splice(rng: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    if not others:
        return _insert(rng, content, others)
    other = rng.choice(others)
    (start, end), (first, last) = _run(rng, content), _run(rng, other)
    return content[:start] + other[first:last] + content[end:]


def _lines(rng: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    lines = content.splitlines(keepends=True)
    if len(lines) < 2:
        return _cut(rng, content, others)
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    if rng.random() < 0.5:
        lines[first], lines[second] = lines[second], lines[first]
    else:
        lines.insert(first, lines[second])
    return b"".join(lines)


def _token(rng: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    """Replace one run of letters or digits with another."""
    tokens = _tokens(content)
    if not tokens:
        return _insert(rng, content, others)
    start, end = rng.choice(tokens)
    first, last = rng.choice(tokens)
    new = rng.choice(PIECES) if rng.random() < 0.5 else content[first:last]
    return content[:start] + new + content[end:]


_DAMAGES: tuple[Callable[[random.Random, bytes, Sequence[bytes]], bytes], ...] = (
    *(_bit, _cut, _insert, _double, _move, _splice, _lines, _token, _token),
)


def _tokens(content: bytes) -> list[tuple[int, int]]:
    import re

    return [match.span() for match in re.finditer(rb"\w+", content[:200_000])]


def _run(rng: random.Random, content: bytes) -> tuple[int, int]:
    start = rng.randint(0, len(content))
    return start, min(len(content), start + rng.choice([0, 1, 1, 4, 20, 100, 1000]))


# --- JSON-like values


class Raw:
    """JSON text that `json` cannot write, such as 1e999."""

    def __init__(self, text: str) -> None:
        self.text = text


ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, 10**30, 0.5, -0.0, 1e308, "", " ", "a", "\0", "\ud800", "_"),
    *("\u202e", "e\u0301", "\x1b[31m", "../..", "/", ".", "a" * 5_000, "1", "nan", [], {}, [[]], [None], [0], ["a"]),
    *({"a": 1}, {"": None}, Raw("1e999"), Raw("NaN"), Raw("-Infinity"), Raw("9" * 5_000), Raw('"\\ud800\\udc00"')),
    *(Raw("[" * 10_000 + "]" * 10_000), Raw('{"a":' * 10_000 + "1" + "}" * 10_000), list(range(2_000))),
)


def value(rng: random.Random, content: Any) -> Any:
    """Return a copy of a JSON-like value with one to three parts replaced, dropped, doubled, renamed or moved."""
    content = copy.deepcopy(content)
    for _ in range(rng.choice([1, 1, 2, 3])):
        parts = list(parts_of(content))
        if not parts:
            return copy.deepcopy(rng.choice(ODD))
        holder, at = rng.choice(parts)
        roll = rng.random()
        if roll < 0.55:
            holder[at] = copy.deepcopy(rng.choice(ODD))
        elif roll < 0.7:
            del holder[at]
        elif roll < 0.8:
            other, key = rng.choice(parts)
            if key in other if isinstance(other, dict) else key < len(other):
                holder[at] = copy.deepcopy(other[key])
        elif roll < 0.9 and isinstance(holder, dict):
            holder[rng.choice(["", "a", "\ud800", str(at) + "x", str(at).upper()])] = holder.pop(at)
        elif isinstance(holder, list):
            holder.insert(rng.randint(0, len(holder)), holder[at])
        else:
            holder[at] = [holder[at]]
    return content


def parts_of(content: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each part of a value, as its container and its key."""
    pending = [content]
    while pending:
        holder = pending.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder)) if isinstance(holder, list) else ()
        for at in keys:
            yield holder, at
            pending.append(holder[at])


def dump(content: Any, **options: Any) -> bytes:
    """Return the JSON of a value that may contain `Raw`."""
    raw: list[str] = []

    def default(each: Any) -> str:
        raw.append(each.text)
        return f"@@RAW{len(raw) - 1}@@"

    text = json.dumps(content, default=default, **options)
    for number, each in enumerate(raw):
        text = text.replace(f'"@@RAW{number}@@"', each)
    return text.encode("utf-8", "surrogatepass")


# --- files

REPLACEMENTS = 8


def replace_file(rng: random.Random, path: Path) -> None:
    """Replace a file with nothing, an empty file, a folder, a FIFO, a link to a device or itself, or random bytes."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
    kind = rng.randrange(REPLACEMENTS)
    if kind == 0:
        return
    if kind == 1:
        path.write_bytes(b"")
    elif kind == 2:
        path.mkdir()
    elif kind == 3:
        os.mkfifo(path)
    elif kind == 4:
        path.symlink_to(path.name)
    elif kind == 5:
        path.symlink_to("/dev/zero")
    elif kind == 6:
        path.symlink_to("nowhere")
    else:
        path.write_bytes(rng.randbytes(rng.choice([1, 10, 1000, 100_000])))
