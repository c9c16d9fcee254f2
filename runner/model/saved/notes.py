"""Read and check the files that fictc adds to a saved model: training metadata and token counts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner.readers import parse_json

ABOUT, COUNTS = "fictc.json", "counts.npy"


def read_about(folder: Path, ids: int) -> Mapping[str, Any]:
    """Return the content of `fictc.json`, or {} if there is no such file. Raises ValueError if it is invalid."""
    path = folder / ABOUT
    if not path.is_file():
        return {}
    about = parse_json(path.read_text("utf-8"))
    if not isinstance(about, dict):
        raise ValueError(f"its {ABOUT} is not a JSON object")
    context = about.get("context")
    if context is not None and (type(context) is not int or not 0 <= context < ids):
        raise ValueError(f"its {ABOUT} has {context!r} as the id before a sentence, but there are {ids:,} ids")
    return about


def read_counts(folder: Path, ids: int) -> NDArray[np.int64] | None:
    """Return the token counts, or None if there is no file. Raises ValueError if they are invalid or too few."""
    path = folder / COUNTS
    if not path.is_file():
        return None
    counts: NDArray[np.int64] = np.load(path, allow_pickle=False)
    if counts.dtype != np.int64 or counts.ndim != 1 or len(counts) < ids or bool((counts < 0).any()):
        raise ValueError(f"its {COUNTS} does not have one count for each of its {ids:,} ids")
    return counts
