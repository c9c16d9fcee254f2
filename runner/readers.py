"""The readers of JSON and TOML: every file that a user may have written or damaged is read here.

What Python's own readers end with in other ways (`RecursionError`, `ValueError` for numbers of too many digits) is an
error of the format here, as any other mistake in the text is.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import tomllib
from collections.abc import Iterable
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import Any

MAX_BYTES = 256_000_000  # of one document
MAX_DEPTH = 200  # objects, arrays or tables in one another
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # an escape that may leave half a character


class IrregularFileError(OSError):
    """A path leads to a folder, a pipe, a device or a socket where a regular file is required."""

    def __init__(self, path: Path) -> None:
        """Name the path; `strerror` says what is wrong with it."""
        super().__init__(errno.EINVAL, "it is not a regular file", str(path))


def open_regular(path: Path) -> BufferedReader:
    """Open a regular file, links followed, for reading. Raises IrregularFileError at once for anything else.

    A pipe is not waited for: the file is opened without blocking and looked at before anything is read.
    """
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise IrregularFileError(path)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def real_path(path: Path) -> Path:
    """Return the absolute path with its links followed. A loop of links stays, for `open` to refuse.

    `Path.resolve` raises RuntimeError for a loop before Python 3.13.
    """
    return Path(os.path.realpath(path))


def read_document(path: Path) -> bytes:
    """Read a regular file of at most `MAX_BYTES`; of a larger one, one byte more, which the parsers refuse.

    Raises OSError as `open_regular` does.
    """
    with open_regular(path) as file:
        return file.read(MAX_BYTES + 1)


def read_text(path: Path) -> str:
    """Read a regular file as UTF-8, with or without a byte order mark, every line's end as `\\n`.

    Raises OSError as `open_regular` does, and UnicodeDecodeError.
    """
    with TextIOWrapper(open_regular(path), encoding="utf-8-sig") as file:
        return file.read()


def parse_json(text: str | bytes) -> Any:
    """Parse a JSON document. Raises `json.JSONDecodeError`; UnicodeDecodeError for bytes that are not UTF-8, 16 or 32.

    Objects and arrays may nest `MAX_DEPTH` deep; strings have no lone surrogates, integers at most 4,300 digits.
    """
    if len(text) > MAX_BYTES:
        raise json.JSONDecodeError(f"it has more than {MAX_BYTES:,} bytes", "", 0)
    try:
        content = json.loads(text)
        _check_depth(content)
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except RecursionError:
        raise json.JSONDecodeError(f"it nests more than {MAX_DEPTH} deep", "", 0) from None
    except ValueError as error:
        raise json.JSONDecodeError(_digits(error), "", 0) from None
    if _SURROGATE.search(text if isinstance(text, str) else text.decode("utf-8", "replace")):
        try:
            json.dumps(content, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            raise json.JSONDecodeError("half a surrogate pair in a string", "", 0) from None
    return content


def parse_toml(text: str) -> dict[str, Any]:
    """Parse a TOML document. Raises `tomllib.TOMLDecodeError`, for tables nested more than `MAX_DEPTH` deep too."""
    if len(text) > MAX_BYTES:
        raise tomllib.TOMLDecodeError(f"it has more than {MAX_BYTES:,} bytes")
    try:
        content = tomllib.loads(text)
        _check_depth(content)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise tomllib.TOMLDecodeError(f"it nests more than {MAX_DEPTH} deep") from None
    except ValueError as error:
        raise tomllib.TOMLDecodeError(_digits(error)) from None
    return content


def _check_depth(content: Any) -> None:
    """Raise RecursionError if a value nests too deep. Needs no stack itself."""
    level = _inside([content])
    for _ in range(MAX_DEPTH + 1):
        if not level:
            return
        level = _inside(part for whole in level for part in (whole.values() if isinstance(whole, dict) else whole))
    raise RecursionError


def _inside(values: Iterable[Any]) -> list[dict[str, Any] | list[Any]]:
    return [value for value in values if isinstance(value, dict | list)]


def _digits(error: ValueError) -> str:
    return "a number has too many digits" if "digits" in str(error) else str(error)
