"""Search CoNLL-U files for features without importing the files."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable
from pathlib import Path

from fictdsl.schema import Field


def missing_features(paths: Iterable[Path], features: Iterable[str]) -> set[str]:
    """Return the `features` that no word of any file has; stop reading once all have been found."""
    missing = set(features)
    for path in paths:
        if not missing:
            break
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        missing -= {feature for feature in missing if _occurs(content, feature)}
    return missing


def _occurs(content: bytes, feature: str) -> bool:
    for match in re.finditer(rb"[\t|]" + re.escape(feature.encode()) + b"=", content):
        line_start = content.rfind(b"\n", 0, match.start()) + 1
        if (
            content[line_start : line_start + 1] != b"#"
            and content.count(b"\t", line_start, match.start() + 1) == Field.FEATS
        ):
            return True
    return False
