"""What this installation has: shipped files, optional extras, and the user's cache of slow values."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import threading
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

_IN_WHEEL = Path(__file__).parent / "_shipped"
_IN_CHECKOUT = Path(__file__).parent.parent


def shipped(name: str) -> Path:
    return (_IN_WHEEL if _IN_WHEEL.is_dir() else _IN_CHECKOUT) / name


def filter_library() -> list[Path]:
    return sorted(path for path in shipped("filters").glob("*/*.fict") if path.parent.name != "words")


# Optional packages, and the extra that installs each. Linting, testing, explaining and compiling need none of them.
_EXTRAS = {
    **dict.fromkeys(("duckdb", "pyarrow", "numpy", "requests", "urllib3"), "corpus"),
    "stanza": "annotate",
    "accelerate": "parallel",
    "typst": "figures",
    **dict.fromkeys(("wordfreq", "lemminflect", "httpx"), "generate"),
    **dict.fromkeys(("pyspark", "pandas"), "spark"),
    **dict.fromkeys(("pygls", "lsprotocol"), "lsp"),
    **dict.fromkeys(("starlette", "uvicorn", "pygments"), "explore"),
    **dict.fromkeys(("torch", "transformers", "tokenizers", "safetensors", "scipy", "pydantic", "jinja2"), "train"),
}


def extra_of(module: str | None) -> str | None:
    return _EXTRAS.get((module or "").partition(".")[0])


def install_hint(extra: str) -> str:
    return f"install fictc with the extra `{extra}`, such as by `pip install '.[{extra}]'` in a clone"


_DIGEST_SIZE = 32  # bytes in a SHA-256 digest


def cache_folder() -> Path:
    """Return the user's cache folder for fictc, which may be missing or not writable."""
    from platformdirs import user_cache_path

    return user_cache_path("fictc")


def content_digest(packages: tuple[str, ...], *contents: bytes) -> bytes:
    """Return a SHA-256 digest of `contents`, the Python version, and the stamps of the source files of `packages`."""
    stamps = [_source_stamps(name) for name in packages]
    environment = repr((sys.version_info[:2], stamps)).encode()
    return hashlib.sha256(b"".join(hashlib.sha256(content).digest() for content in (environment, *contents))).digest()


def load_entry(path: Path, digest: bytes) -> Any:
    """Return the value in a file, or None if it is missing, damaged or stored under another digest."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    stored_digests, pickled = content[: 2 * _DIGEST_SIZE], content[2 * _DIGEST_SIZE :]
    if stored_digests != digest + hashlib.sha256(pickled).digest():
        return None
    return pickle.loads(pickled)  # trusted: the user's own cache, verified by checksum


def store_entry(path: Path, digest: bytes, value: object) -> None:
    """Replace the value and digest in a file, unless it cannot be written or pickle cannot nest so deep."""
    try:
        pickled = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except RecursionError:  # pickle needs several frames for each level of a value
        return
    temporary_path = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary_path.write_bytes(digest + hashlib.sha256(pickled).digest() + pickled)
        temporary_path.replace(path)
    except OSError:  # the cache is optional
        with suppress(OSError):
            temporary_path.unlink(missing_ok=True)


@cache
def _source_stamps(package: str) -> list[tuple[str, int, int]]:
    """Return the path, size and modification time of each Python file of an installed package, without importing it."""
    from importlib.util import find_spec

    spec = find_spec(package)
    return [] if spec is None or spec.origin is None else _stamps(os.path.dirname(spec.origin))  # noqa: PTH120 - fast


def _stamps(folder: str) -> list[tuple[str, int, int]]:
    stamps: list[tuple[str, int, int]] = []
    with os.scandir(folder) as entries:  # several times as fast as pathlib
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name.endswith(".py"):
                status = entry.stat()
                stamps.append((entry.path, status.st_size, status.st_mtime_ns))
            elif entry.is_dir() and entry.name != "__pycache__":
                stamps += _stamps(entry.path)
    return stamps
