"""Mutations of bytes, of JSON-like values and of files: what damages and attackers make of good input."""

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


def data(dice: random.Random, content: bytes, others: Sequence[bytes] = ()) -> bytes:
    """Bytes with one to four damages: bits, cuts, pieces put in, doubled, moved or taken from `others`."""
    for _ in range(dice.choice([1, 1, 1, 2, 4])):
        content = dice.choice(_DAMAGES)(dice, content, others)
    return content


def _bit(dice: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    if not content:
        return content
    at = dice.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << dice.randrange(8)]) + content[at + 1 :]


def _cut(dice: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    start, end = _run(dice, content)
    return content[:start] if dice.random() < 0.3 else content[:start] + content[end:]


def _insert(dice: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    start, end = _run(dice, content)
    piece = dice.choice(LARGE if dice.random() < 0.02 else PIECES)
    return content[:start] + piece + content[dice.choice([start, end]) :]


def _double(dice: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    start, end = _run(dice, content)
    times = dice.choice([2, 2, 3, 50])
    return content[:start] + content[start:end] * times + content[end:]


def _move(dice: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    start, end = _run(dice, content)
    rest = content[:start] + content[end:]
    at = dice.randint(0, len(rest))
    return rest[:at] + content[start:end] + rest[at:]


def _splice(dice: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    if not others:
        return _insert(dice, content, others)
    other = dice.choice(others)
    (start, end), (first, last) = _run(dice, content), _run(dice, other)
    return content[:start] + other[first:last] + content[end:]


def _lines(dice: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    lines = content.splitlines(keepends=True)
    if len(lines) < 2:
        return _cut(dice, content, others)
    one, two = dice.randrange(len(lines)), dice.randrange(len(lines))
    if dice.random() < 0.5:
        lines[one], lines[two] = lines[two], lines[one]
    else:
        lines.insert(one, lines[two])
    return b"".join(lines)


def _token(dice: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    """Put one run of letters or digits in the place of another."""
    tokens = _tokens(content)
    if not tokens:
        return _insert(dice, content, others)
    start, end = dice.choice(tokens)
    first, last = dice.choice(tokens)
    new = dice.choice(PIECES) if dice.random() < 0.5 else content[first:last]
    return content[:start] + new + content[end:]


_DAMAGES: tuple[Callable[[random.Random, bytes, Sequence[bytes]], bytes], ...] = (
    *(_bit, _cut, _insert, _double, _move, _splice, _lines, _token, _token),
)


def _tokens(content: bytes) -> list[tuple[int, int]]:
    import re

    return [found.span() for found in re.finditer(rb"\w+", content[:200_000])]


def _run(dice: random.Random, content: bytes) -> tuple[int, int]:
    start = dice.randint(0, len(content))
    return start, min(len(content), start + dice.choice([0, 1, 1, 4, 20, 100, 1000]))


# --- values as JSON and TOML have them


class Raw:
    """Return JSON text for a hostile value."""

    def __init__(self, text: str) -> None:
        self.text = text


ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, 10**30, 0.5, -0.0, 1e308, "", " ", "a", "\0", "\ud800", "_"),
    *("\u202e", "e\u0301", "\x1b[31m", "../..", "/", ".", "a" * 5_000, "1", "nan", [], {}, [[]], [None], [0], ["a"]),
    *({"a": 1}, {"": None}, Raw("1e999"), Raw("NaN"), Raw("-Infinity"), Raw("9" * 5_000), Raw('"\\ud800\\udc00"')),
    *(Raw("[" * 10_000 + "]" * 10_000), Raw('{"a":' * 10_000 + "1" + "}" * 10_000), list(range(2_000))),
)


def value(dice: random.Random, content: Any) -> Any:
    """A JSON-like value with one to three parts replaced, dropped, doubled, renamed or moved; not in place."""
    content = copy.deepcopy(content)
    for _ in range(dice.choice([1, 1, 2, 3])):
        parts = list(places(content))
        if not parts:
            return dice.choice(ODD)
        holder, at = dice.choice(parts)
        act = dice.random()
        if act < 0.55:
            holder[at] = dice.choice(ODD)
        elif act < 0.7:
            del holder[at]
        elif act < 0.8:
            other, where = dice.choice(parts)
            if where in other if isinstance(other, dict) else where < len(other):
                holder[at] = copy.deepcopy(other[where])
        elif act < 0.9 and isinstance(holder, dict):
            holder[dice.choice(["", "a", "\ud800", str(at) + "x", str(at).upper()])] = holder.pop(at)
        elif isinstance(holder, list):
            holder.insert(dice.randint(0, len(holder)), holder[at])
        else:
            holder[at] = [holder[at]]
    return content


def places(content: Any) -> Iterator[tuple[Any, Any]]:
    """Each part of a value, as what holds it and its key there."""
    pending = [content]
    while pending:
        holder = pending.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder)) if isinstance(holder, list) else ()
        for at in keys:
            yield holder, at
            pending.append(holder[at])


def dump(content: Any, **options: Any) -> bytes:
    """The JSON of a value with `Raw` in it."""
    raw: list[str] = []

    def default(each: Any) -> str:
        raw.append(each.text)
        return f"@@RAW{len(raw) - 1}@@"

    text = json.dumps(content, default=default, **options)
    for number, each in enumerate(raw):
        text = text.replace(f'"@@RAW{number}@@"', each)
    return text.encode("utf-8", "surrogatepass")


# --- files

LARGEST_PLACE = 8


def place(dice: random.Random, path: Path) -> None:
    """Put something else where a file is: nothing, an empty file, a folder, a FIFO, a link to a device or to itself."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
    what = dice.randrange(LARGEST_PLACE)
    if what == 0:
        return
    if what == 1:
        path.write_bytes(b"")
    elif what == 2:
        path.mkdir()
    elif what == 3:
        os.mkfifo(path)
    elif what == 4:
        path.symlink_to(path.name)
    elif what == 5:
        path.symlink_to("/dev/zero")
    elif what == 6:
        path.symlink_to("nowhere")
    else:
        path.write_bytes(dice.randbytes(dice.choice([1, 10, 1000, 100_000])))
