"""Values into what one process hands to another through a file, their arrays as they lie, and back."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

_LARGE = 1 << 12  # bytes: arrays of fewer go with the value


@dataclass(frozen=True, slots=True)
class Handed:
    """A pickled value, without its large arrays, which are so many bytes each in a file, one after the other."""

    value: bytes
    sizes: Sequence[int]
    file: Path


def hand_over(value: object, file: Path) -> Handed:
    """Put a value's large arrays into a file, if it has any, over what lies there: to use pages again is cheaper."""
    arrays: list[memoryview] = []

    def within(array: pickle.PickleBuffer) -> bool:
        part = array.raw()
        if part.nbytes < _LARGE:
            return True
        arrays.append(part)
        return False

    pickled = pickle.dumps(value, 5, buffer_callback=within)
    if arrays:
        with file.open("r+b" if file.exists() else "wb") as stream:
            for part in arrays:
                stream.write(part)
    return Handed(pickled, [part.nbytes for part in arrays], file)


def take(handed: Handed) -> Any:
    """The value; its file is free then."""
    if not handed.sizes:
        return pickle.loads(handed.value)
    with handed.file.open("rb") as stream:
        arrays = [np.fromfile(stream, np.uint8, size) for size in handed.sizes]
    return pickle.loads(handed.value, buffers=arrays)
