"""Cache syntax trees in the user's cache folder, so that commands need not import Lark.

Each file has one entry, so the cache does not grow with every change. Only trees without diagnostics are stored.
"""

from __future__ import annotations

import hashlib
import os

from fictdsl.cache import cache_folder, content_digest, load_entry, store_entry
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.shipped import shipped
from fictdsl.source import Source
from fictdsl.syntax.grammar.grammar import GRAMMAR
from fictdsl.syntax.nodes import File
from fictdsl.syntax.parsing.parse import parse


def parse_cached(source: Source) -> tuple[File | None, list[Diagnostic]]:
    """Parse a source, using the cache if it is a file."""
    if source.path is None:
        return parse(source)
    entry_path = cache_folder() / "trees" / hashlib.sha256(os.fsencode(os.path.realpath(source.path))).hexdigest()[:32]
    digest = content_digest(("fictdsl", "lark"), shipped(GRAMMAR).read_bytes(), source.text.encode())
    cached: File | None = load_entry(entry_path, digest)
    if cached is not None:
        return cached, []
    file, diagnostics = parse(source)
    if file is not None and not diagnostics:
        store_entry(entry_path, digest, file)
    return file, diagnostics
