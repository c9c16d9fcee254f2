"""CoNLL-U files to the features that occur in them at all, without importing anything."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable
from pathlib import Path

FEATS = 5  # the column, counted from 0


def missing_features(paths: Iterable[Path], features: Iterable[str]) -> set[str]:
    """Those of `features` that no word of any file has; reading stops as soon as all were seen."""
    missing = set(features)
    for path in paths:
        if not missing:
            break
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        missing -= {feature for feature in missing if _occurs(content, feature)}
    return missing


def _occurs(content: bytes, feature: str) -> bool:
    for found in re.finditer(rb"[\t|]" + re.escape(feature.encode()) + b"=", content):
        begin = content.rfind(b"\n", 0, found.start()) + 1
        if content[begin : begin + 1] != b"#" and content.count(b"\t", begin, found.start() + 1) == FEATS:
            return True
    return False
