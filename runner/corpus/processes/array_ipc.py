"""Pass values between processes: a pickle, with large arrays as raw bytes in a file."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

_MIN_BYTES = 1 << 12  # smaller arrays stay in the pickle


@dataclass(frozen=True, slots=True)
class Serialized:
    """A pickled value. Its large arrays are stored one after the other in `file`; `sizes` are their sizes in bytes."""

    value: bytes
    sizes: Sequence[int]
    file: Path


def serialize(value: object, file: Path) -> Serialized:
    """Pickle `value` and write its large arrays to `file`, if it has any.

    An existing file is overwritten in place, because reusing its pages is cheaper than allocating new ones.
    """
    arrays: list[memoryview] = []

    def keep_in_pickle(buffer: pickle.PickleBuffer) -> bool:
        view = buffer.raw()
        if view.nbytes < _MIN_BYTES:
            return True
        arrays.append(view)
        return False

    pickled = pickle.dumps(value, 5, buffer_callback=keep_in_pickle)
    if arrays:
        with file.open("r+b" if file.exists() else "wb") as stream:
            for view in arrays:
                stream.write(view)
    return Serialized(pickled, [view.nbytes for view in arrays], file)


def deserialize(serialized: Serialized) -> Any:
    """Return the value. Its file can be reused afterwards."""
    if not serialized.sizes:
        return pickle.loads(serialized.value)
    with serialized.file.open("rb") as stream:
        arrays = [np.fromfile(stream, np.uint8, size) for size in serialized.sizes]
    return pickle.loads(serialized.value, buffers=arrays)
