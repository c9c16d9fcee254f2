"""A cache of syntax trees in the user's cache folder, which saves importing Lark.

Each file has one entry, so the cache does not grow with every change. An entry is valid only if it is undamaged and
made from the same text by the same parser sources. Only trees without diagnostics are stored.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from functools import cache
from pathlib import Path

from fictdsl.cache import cache_folder
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.source import Source
from fictdsl.syntax.nodes import File
from fictdsl.syntax.parsing.parse import parse

_DIGEST = 32  # bytes of a sha256


def parse_cached(source: Source) -> tuple[File | None, list[Diagnostic]]:
    """Parse a source, using the cache if it is a file."""
    if source.path is None:
        return parse(source)
    path = cache_folder() / "trees" / hashlib.sha256(os.path.realpath(source.path).encode()).hexdigest()[:32]
    digest = hashlib.sha256(_parser_version() + source.text.encode()).digest()
    cached = _load(path, digest)
    if cached is not None:
        return cached, []
    file, problems = parse(source)
    if file is not None and not problems:
        _store(path, digest, file)
    return file, problems


def _load(path: Path, digest: bytes) -> File | None:
    try:
        content = path.read_bytes()
    except OSError:
        return None
    digests, tree = content[: 2 * _DIGEST], content[2 * _DIGEST :]
    if digests != digest + hashlib.sha256(tree).digest():
        return None
    file: File = pickle.loads(tree)  # trusted: the user's own cache, verified by checksum
    return file


def _store(path: Path, digest: bytes, file: File) -> None:
    tree = pickle.dumps(file, pickle.HIGHEST_PROTOCOL)
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(digest + hashlib.sha256(tree).digest() + tree)
        temporary.replace(path)
    except OSError:
        return  # the cache is optional


@cache
def _parser_version() -> bytes:
    """Identify the parser by the sizes and times of its sources and of Lark's, and by the version of Python."""
    from importlib.util import find_spec

    from fictdsl.shipped import shipped
    from fictdsl.syntax.grammar.grammar import GRAMMAR

    library = find_spec("lark")
    roots = [Path(__file__).parents[1], *([Path(library.origin).parent] if library and library.origin else [])]
    files = [shipped(GRAMMAR), *(file for root in roots for file in sorted(root.rglob("*.py")))]
    stamps = [(str(file), status.st_size, status.st_mtime_ns) for file in files if (status := file.stat())]
    return repr((sys.version_info[:2], stamps)).encode()
