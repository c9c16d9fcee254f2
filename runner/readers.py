"""Read text, JSON and TOML files that users write, and check the names of files.

Exceptions of Python's parsers that are not syntax errors (`RecursionError`, `ValueError` for numbers with too many
digits) are converted to syntax errors of the format.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import sys
import tomllib
from collections.abc import Callable, Iterable
from functools import partial
from io import BufferedReader, BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

from fictdsl.source import looks_like_utf16, unique_keys

MAX_BYTES = 256_000_000  # of one document
MAX_DEPTH = 200  # nested objects, arrays or tables
_SOURCE_PREFIX = re.compile(
    r"(Could not open Parquet input source|Error creating dataset. Could not read schema from) '.*?: "
)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # an escape that may be a lone surrogate


class IrregularFileError(OSError):
    """A path to a folder, pipe, device or socket where a regular file is required."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EINVAL, "it is not a regular file", str(path))


def open_regular(path: Path) -> BufferedReader:
    """Open a regular file for reading, following links. Raises IrregularFileError for others, and never blocks."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise IrregularFileError(path)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def real_path(path: Path) -> Path:
    """Return the absolute path with links followed. A loop is kept, for which `Path.resolve` raises RuntimeError."""
    return Path(os.path.realpath(path))


def parquet_reason(error: Exception) -> str:
    lines = str(error).splitlines() or [type(error).__name__]
    return _SOURCE_PREFIX.sub("", lines[0]).rstrip(".")


def read_document(path: Path) -> bytes:
    """Read a regular file, at most `MAX_BYTES` + 1 bytes. The parsers reject a document of that size."""
    with open_regular(path) as file:
        return file.read(MAX_BYTES + 1)


def read_text(path: Path) -> str:
    """Read a regular file as UTF-8, without a byte order mark or carriage returns. Raises UnicodeDecodeError."""
    with open_regular(path) as file:
        return _decoded(file.read())


def read_input(path: Path) -> str:
    """Read a file of any kind, or standard input if `path` is `-`, as `read_text` does."""
    return _decoded(sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes())


def _decoded(data: bytes) -> str:
    if looks_like_utf16(data):
        raise UnicodeDecodeError("utf-8", data, 0, 1, "UTF-16")
    with TextIOWrapper(BytesIO(data), encoding="utf-8-sig") as file:
        return file.read()


def text_reason(error: OSError | UnicodeDecodeError) -> str:
    """Return why a text cannot be read: the reason of the system, or the first byte that is not UTF-8."""
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    if looks_like_utf16(error.object):
        return "it is UTF-16, not UTF-8; `iconv -f UTF-16 -t UTF-8` converts it"
    valid = error.object[: error.start]
    line, position = valid.count(b"\n") + 1, error.start - valid.rfind(b"\n")
    return f"the byte 0x{error.object[error.start]:02X} is not UTF-8 (line {line:,}, byte {position:,})"


def parse_json(text: str | bytes) -> Any:
    """Parse a JSON document. Raises `json.JSONDecodeError`, and UnicodeDecodeError for an invalid encoding.

    Limits: a length of `MAX_BYTES`, a depth of `MAX_DEPTH`, no key twice in an object, no lone surrogates in strings,
    and integers of at most 4,300 digits.
    """

    def error(reason: str) -> json.JSONDecodeError:
        return json.JSONDecodeError(reason, "", 0)

    content = _parsed(partial(json.loads, object_pairs_hook=unique_keys), text, error)
    if _SURROGATE.search(text if isinstance(text, str) else text.decode("utf-8", "replace")):
        try:
            json.dumps(content, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            raise error("a lone surrogate in a string") from None
    return content


def parse_toml(text: str) -> dict[str, Any]:
    """Parse a TOML document. Raises `tomllib.TOMLDecodeError`, also if tables nest more than `MAX_DEPTH` deep."""
    content: dict[str, Any] = _parsed(tomllib.loads, text, tomllib.TOMLDecodeError)
    return content


def _parsed(parse: Callable[[Any], Any], text: str | bytes, error: Callable[[str], ValueError]) -> Any:
    if len(text) > MAX_BYTES:
        raise error(f"it has more than {MAX_BYTES:,} bytes")
    try:
        content = parse(text)
        _check_depth(content)
    except (json.JSONDecodeError, tomllib.TOMLDecodeError, UnicodeDecodeError):
        raise
    except RecursionError:
        raise error(f"it nests more than {MAX_DEPTH} deep") from None
    except ValueError as problem:
        raise error("a number has too many digits" if "digits" in str(problem) else str(problem)) from None
    return content


def _check_depth(content: Any) -> None:
    containers = _containers([content])
    for _ in range(MAX_DEPTH + 1):
        if not containers:
            return
        containers = _containers(
            child for value in containers for child in (value.values() if isinstance(value, dict) else value)
        )
    raise RecursionError


def _containers(values: Iterable[Any]) -> list[dict[str, Any] | list[Any]]:
    return [value for value in values if isinstance(value, dict | list)]


# Names of devices on Windows, with any extension.
_PORTS = (f"{port}{number}" for port in ("com", "lpt") for number in range(10))
_DEVICES = frozenset({"con", "prn", "aux", "nul", *_PORTS})


def invalid_reason(name: str) -> str | None:
    """Return why Windows does not accept a file name, or None if it does. Invalid characters are not detected."""
    if name.partition(".")[0].rstrip(" ").lower() in _DEVICES:
        return "it is the name of a device on Windows"
    if name.endswith((".", " ")):
        return "Windows drops a dot or space at the end"
    return None


def case_collision(names: Iterable[str]) -> tuple[str, str] | None:
    """Return the first two names that a case-insensitive file system treats as one, or None."""
    seen: dict[str, str] = {}
    for name in names:
        if name.casefold() in seen:
            return seen[name.casefold()], name
        seen[name.casefold()] = name
    return None
