"""A file's text into its tree as it was parsed before, kept in the user's cache: to import Lark takes longer than that.

A file has one place there, whatever it says, so that the cache does not grow with every change. What is damaged, of
another text or of other sources of the parser is none; and a tree is kept only if nothing was to be said of it.
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


def parsed(source: Source) -> tuple[File | None, list[Diagnostic]]:
    """What `parse` makes of a source, kept if it is a file's."""
    if source.path is None:
        return parse(source)
    place = cache_folder() / "trees" / hashlib.sha256(os.path.realpath(source.path).encode()).hexdigest()[:32]
    known = hashlib.sha256(_parser() + source.text.encode()).digest()
    found = _recall(place, known)
    if found is not None:
        return found, []
    file, problems = parse(source)
    if file is not None and not problems:
        _keep(place, known, file)
    return file, problems


def _recall(place: Path, known: bytes) -> File | None:
    try:
        content = place.read_bytes()
    except OSError:
        return None
    digests, tree = content[: 2 * _DIGEST], content[2 * _DIGEST :]
    if digests != known + hashlib.sha256(tree).digest():
        return None
    found: File = pickle.loads(tree)  # the user's own cache, and the bytes that were written there
    return found


def _keep(place: Path, known: bytes, file: File) -> None:
    tree = pickle.dumps(file, pickle.HIGHEST_PROTOCOL)
    beside = place.with_name(f"{place.name}.{os.getpid()}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(known + hashlib.sha256(tree).digest() + tree)
        beside.replace(place)
    except OSError:
        return  # a cache that cannot be written costs time, never an answer


@cache
def _parser() -> bytes:
    """What a tree depends on beside the text: the sources of what parses, and of Lark, by size and time."""
    from importlib.util import find_spec

    from fictdsl.shipped import shipped
    from fictdsl.syntax.grammar.grammar import GRAMMAR

    library = find_spec("lark")
    roots = [Path(__file__).parents[1], *([Path(library.origin).parent] if library and library.origin else [])]
    files = [shipped(GRAMMAR), *(file for root in roots for file in sorted(root.rglob("*.py")))]
    stamps = [(str(file), status.st_size, status.st_mtime_ns) for file in files if (status := file.stat())]
    return repr((sys.version_info[:2], stamps)).encode()
