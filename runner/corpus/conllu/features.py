"""Search CoNLL-U files, plain or gzip (`.gz`), for features and labels without importing the files."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable
from pathlib import Path

from fictdsl.schema import Field


def missing_features(paths: Iterable[Path], features: Iterable[str]) -> set[str]:
    """Return the `features` that no word of any file has. Reading stops when all features have been found."""
    missing = set(features)
    for path in paths:
        if not missing:
            break
        content = _content(path)
        missing -= {
            name for name in missing if _occurs(content, rb"[\t|]" + re.escape(name.encode()) + b"=", Field.FEATS)
        }
    return missing


def label_occurs(paths: Iterable[Path], label: str, field: Field) -> bool:
    """Return whether a word of any file has a label, or a subtype of it, in a field."""
    pattern = rb"\t" + re.escape(label.encode()) + rb"(?=[\t:])"
    return any(_occurs(_content(path), pattern, field) for path in paths)


def _content(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def _occurs(content: bytes, pattern: bytes, field: Field) -> bool:
    """Return whether a pattern that begins with a separator matches in a field of a word's line."""
    for match in re.finditer(pattern, content):
        line_start = content.rfind(b"\n", 0, match.start()) + 1
        if (
            content[line_start : line_start + 1] != b"#"
            and content.count(b"\t", line_start, match.start() + 1) == field
        ):
            return True
    return False
